/** Checks replies and messages against the JSON Schemas of their types, and records which methods were checked. */
import { Ajv } from 'ajv'
import { type JsonSchema, SCHEMAS } from '../../.ci/schemas/json-schema.ts'
import type { ResultTypes } from '../../.ci/schemas/result-types.ts'
import type { SessionKind } from '../../src/model/index.ts'
import { typesOfResults } from './source-types.ts'

/** Lists the errors of a value, each line beginning with the place; empty if the value fits its schema. */
export type ValueCheck = (at: string, value: unknown) => readonly string[]

/** Makes value checks from schemas that refer to these named types. */
export function checksOver(types: ResultTypes['types']): (schema: JsonSchema) => ValueCheck {
  const ajv = new Ajv({ strict: true, allErrors: true, strictTypes: false, allowUnionTypes: true })
  ajv.addSchema(pointed({ $id: 'types', definitions: types }))
  return (schema) => {
    const validate = ajv.compile(pointed(schema))
    return (at, value) => {
      // A client reads JSON, which has no `undefined`.
      if (validate(JSON.parse(JSON.stringify(value)))) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${at}${instancePath}: ${message} ${JSON.stringify(params)}`,
      )
    }
  }
}

/** The checks of one test file. */
export class ReplyChecks {
  readonly #types: ResultTypes = typesOfResults()
  readonly #checkOf = checksOver(this.#types.types)
  readonly #checks = new Map<string, ValueCheck>()

  /** Lists the errors of a result; empty if it fits its schema. */
  check(method: string, result: unknown, over: SessionKind | undefined): readonly string[] {
    return this.#find(method, over === 'rest_gateway')(method, result)
  }

  /** Methods without a checked reply; `gateway …` for those of a gateway. */
  unseen(): readonly string[] {
    const { methods, gatewayMethods } = this.#types
    const names = [...Object.keys(methods), ...Object.keys(gatewayMethods).map((name) => `gateway ${name}`)]
    return names.filter((name) => !this.#checks.has(name))
  }

  #find(method: string, isGateway: boolean): ValueCheck {
    const { methods, gatewayMethods } = this.#types
    const isOwn = isGateway && !method.startsWith('sim/')
    const key = isOwn ? `gateway ${method}` : method
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const typed = (isOwn ? gatewayMethods : methods)[method]
    if (typed === undefined) throw new RangeError(`${key}: expected a method with a reply`)
    const made = this.#checkOf(typed.result)
    this.#checks.set(key, made)
    return made
  }
}

/** A schema whose references point to the validator's named types. */
function pointed(schema: object): object {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replaceAll(SCHEMAS, 'types#/definitions/')) as object
}
