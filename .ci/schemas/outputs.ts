/** JSON Schemas of what `--json` prints, from the types of `cli/json-outputs.ts`. */
import type { JsonSchema } from './json-schema.ts'
import { SCHEMAS } from './json-schema.ts'
import { outputTypes } from './result-types.ts'

/** The schema of each command's output, draft 7, each complete in itself. */
export function outputSchemas(): Readonly<Record<string, object>> {
  const { outputs, types } = outputTypes()
  return Object.fromEntries(
    Object.entries(outputs).map(([name, schema]) => {
      const definitions = Object.fromEntries(
        [...namesWithin(schema, types, new Set())].sort().map((used) => [used, types[used]]),
      )
      const whole = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema, definitions }
      return [name, JSON.parse(JSON.stringify(whole).replaceAll(SCHEMAS, '#/definitions/'))]
    }),
  )
}

/** Names of the types that a schema leads to. */
function namesWithin(
  schema: JsonSchema,
  types: Readonly<Record<string, JsonSchema>>,
  found: Set<string>,
): ReadonlySet<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const type = types[name]
    if (found.has(name) || type === undefined) continue
    found.add(name)
    namesWithin(type, types, found)
  }
  return found
}
