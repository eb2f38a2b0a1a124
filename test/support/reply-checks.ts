/**
 * Checks replies against the schemas of their results, and counts which methods were checked.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import { SCHEMAS } from '../../.ci/schemas/json-schema.ts'
import { type ResultTypes, resultTypes } from '../../.ci/schemas/result-types.ts'
import type { SessionKind } from '../../src/model/index.ts'

/** The checks of one test file. */
export class ReplyChecks {
  readonly #types: ResultTypes = resultTypes()
  readonly #ajv = new Ajv({
    strict: true,
    allErrors: true,
    strictTypes: false,
    allowUnionTypes: true,
  })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor() {
    const { types } = this.#types
    this.#ajv.addSchema(pointed({ $id: 'types', definitions: types }))
  }

  /** Says what is wrong with a result; nothing if it is as its schema says. */
  check(method: string, result: unknown, over: SessionKind | undefined): readonly string[] {
    const validate = this.#validatorOf(method, over === 'rest_gateway')
    // A client reads JSON, which has no `undefined`.
    if (validate(JSON.parse(JSON.stringify(result)))) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${method}${instancePath}: ${message} ${JSON.stringify(params)}`,
    )
  }

  /** Methods of which no reply was checked; `gateway …` for those of a gateway. */
  unseen(): readonly string[] {
    const { methods, gatewayMethods } = this.#types
    const names = [
      ...Object.keys(methods),
      ...Object.keys(gatewayMethods).map((name) => `gateway ${name}`),
    ]
    return names.filter((name) => !this.#validators.has(name))
  }

  #validatorOf(method: string, isGateway: boolean): ValidateFunction {
    const { methods, gatewayMethods } = this.#types
    const isOwn = isGateway && !method.startsWith('sim/')
    const key = isOwn ? `gateway ${method}` : method
    const known = this.#validators.get(key)
    if (known !== undefined) return known
    const typed = (isOwn ? gatewayMethods : methods)[method]
    if (typed === undefined) throw new RangeError(`${key}: expected a method with a reply`)
    const made = this.#ajv.compile(pointed(typed.result))
    this.#validators.set(key, made)
    return made
  }
}

/** A schema whose references lead to where the validator has the named types. */
function pointed(schema: object): object {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replaceAll(SCHEMAS, 'types#/definitions/')) as object
}
