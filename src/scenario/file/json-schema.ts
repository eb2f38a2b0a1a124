/**
 * The JSON Schema of scenario files, for editors. `call` names the methods, and `params` stay open but for what the
 * interface requires of a method though a run answers without (R34).
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

/** A step calls a method without requirements beyond its own, or names what is required of it. */
function requirements(): readonly object[] {
  const requiring = methodNames.filter((name) => findMethod(name)?.requires !== undefined)
  return requiring.map((name) => {
    const others = methodNames.filter((other) => other !== name)
    const required = Object.keys(findMethod(name)?.requires ?? {})
    const isOther = { type: 'object', properties: { call: { type: 'string', enum: others } } }
    // A text names a value that was saved.
    const given = Object.fromEntries(required.map((key) => [key, { type: ['number', 'string'] }]))
    const params = { type: 'object', properties: given, required }
    return { anyOf: [isOther, { type: 'object', properties: { params }, required: ['params'] }] }
  })
}
