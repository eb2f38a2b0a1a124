/**
 * Values in one line of YAML, for scenario files that tests write. Numbers keep their decimal text.
 */
import { formatScaled } from '../../src/core/index.ts'

/** A number as its decimal text. */
export interface Decimal {
  readonly decimal: string
}

export type Value = string | boolean | Decimal | readonly Value[] | { readonly [key: string]: Value }

/** A count of 1e-9 as a decimal. */
export function price(count9: number | bigint): Decimal {
  return {
    decimal: formatScaled(BigInt(count9), 9),
  }
}

/** A value in one line of YAML. */
export function flow(value: Value): string {
  if (typeof value === 'string') return /^[A-Za-z]\w+[\w./-]*$/.test(value) ? value : JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if ('decimal' in value && typeof value.decimal === 'string') return value.decimal
  const parts = Object.entries(value as { readonly [key: string]: Value })
  return `{ ${parts.map(([key, part]) => `${key}: ${flow(part)}`).join(', ')} }`
}
