/**
 * The JSON Schema of scenario files, for editors. `call` lists the methods. `params` is open, except for parameters
 * that the interface requires although a run answers without them (R34).
 */
import { z } from '../../core/index.ts'
import { findMethod, methodNames } from '../../gateways/index.ts'
import { scenarioFormat } from './format.ts'

/**
 * Returns the JSON Schema (draft 2020-12) of scenario files.
 *
 * @example
 * console.log('properties' in scenarioJsonSchema()) // true
 */
export function scenarioJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFormat, {
    io: 'input',
    unrepresentable: 'any',
  })
  return {
    $schema,
    $id: 'urn:pitclock:scenario:1',
    title: 'Pitclock scenario',
    description: 'Requests to the exchange simulator, with their expected results.',
    ...schema,
    allOf: [
      {
        type: 'object',
        properties: { steps: { type: 'array', items: { allOf: requirements() } } },
      },
    ],
  }
}

/** Requires that a step either calls another method, or has the required parameters of this one. */
function requirements(): readonly object[] {
  const requiring = methodNames.filter((name) => findMethod(name)?.requires !== undefined)
  return requiring.map((name) => {
    const others = methodNames.filter((other) => other !== name)
    const required = Object.keys(findMethod(name)?.requires ?? {})
    const isOther = { type: 'object', properties: { call: { type: 'string', enum: others } } }
    // A text is the name of a saved value.
    const given = Object.fromEntries(required.map((key) => [key, { type: ['number', 'string'] }]))
    const params = { type: 'object', properties: given, required }
    return { anyOf: [isOther, { type: 'object', properties: { params }, required: ['params'] }] }
  })
}
