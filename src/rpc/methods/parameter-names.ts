/**
 * Finds parameters that a method does not have. The venue ignores them (R32), which hides a misspelt `post_only`.
 * Files, programs and strategies check names here before they send a request.
 */
import { foundWord, z } from '../../core/index.ts'
import type { Method } from './method.ts'
import type { MethodSet } from './method-set.ts'

/** An unknown parameter name, with its position and the known names. */
export interface UnknownName {
  /** Position within the parameters: names, and indices in lists. */
  readonly path: readonly (string | number)[]
  readonly name: string
  readonly known: readonly string[]
}

/** Unknown parameter names of a method, including those inside lists of objects; empty for an unknown method. */
export function unknownNamesIn(methods: MethodSet, method: string, params: unknown): readonly UnknownName[] {
  const schema = methods.find(method)?.params
  const found: UnknownName[] = []
  if (schema !== undefined) addUnknown(found, schema, params, [])
  return found
}

/**
 * Unknown parameter names of a method, for a server: dotted if they are inside a list. It allows `access_token` in
 * every request.
 */
export function strangeNames(method: Pick<Method, 'params'>, params: unknown): readonly string[] {
  const found: UnknownName[] = []
  addUnknown(found, method.params, params, [])
  // Almost all requests have none, and a server checks each request.
  if (found.length === 0) return []
  return found.map(({ path }) => path.join('.')).filter((name) => name !== 'access_token')
}

/** The first unknown parameter name as a message for programs; null without one. */
export function nameProblemIn(methods: MethodSet, method: string, params: unknown): string | null {
  const [first] = unknownNamesIn(methods, method, params)
  if (first === undefined) return null
  return `${method}: ${first.path.join('.')}: expected a parameter of the method, ${foundWord(first.name, first.known)}`
}

function addUnknown(found: UnknownName[], schema: z.ZodObject, value: unknown, path: UnknownName['path']): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  // Every object has keys.
  const values = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(schema.shape, name)) {
      if (values[name] === undefined) continue
      found.push({ path: [...path, name], name, known: Object.keys(schema.shape) })
      continue
    }
    const items = values[name]
    if (typeof items !== 'object' || !Array.isArray(items)) continue
    const entry = entrySchema(schema.shape[name])
    if (entry === undefined) continue
    for (const [index, item] of items.entries()) {
      addUnknown(found, entry, item, [...path, name, index])
    }
  }
}

/** The schema of the objects in a list parameter, or undefined. */
function entrySchema(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
    return entrySchema(field.def.innerType)
  }
  if (!(field instanceof z.ZodArray)) return undefined
  const { element } = field.def
  return element instanceof z.ZodObject ? element : undefined
}
