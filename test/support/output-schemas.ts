/** Checks outputs of `--json` against the schemas that the program prints. */
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { pitclock } from './built-program.ts'

const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true })
const validators = new Map<string, ValidateFunction>()

/** A validator for the output of a command, from its schema. */
export function outputValidator(command: string): ValidateFunction {
  const known = validators.get(command)
  if (known !== undefined) return known
  const { code, out, err } = pitclock(['schema', 'output', command])
  expect([code, err]).toEqual([0, ''])
  const validate = ajv.compile(JSON.parse(out) as object)
  validators.set(command, validate)
  return validate
}

/** Lists the places where the output of a command does not fit its schema. */
export function faultsIn(command: string, output: unknown): readonly string[] {
  const validate = outputValidator(command)
  if (validate(output)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
  )
}
