/**
 * The JSON Schema of scenario files, for editors. `params` stay open, `call` names the methods.
 */
import * as z from 'zod'
import { scenarioFormat } from './format.ts'

/** A JSON Schema (draft 2020-12) of the format as people write it. */
export function scenarioJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFormat, {
    io: 'input',
    unrepresentable: 'any',
  })
  return {
    $schema,
    $id: 'urn:pitclock:scenario:1',
    title: 'Pitclock scenario',
    description: 'A file of requests for the exchange simulator, with what must come of them.',
    ...schema,
  }
}
