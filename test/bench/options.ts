/**
 * The options of `npm run bench`, as a person gives them.
 */
import { parseArgs } from 'node:util'
import { err, ok, type Result } from '../../src/core/index.ts'

/** The requested measurements. */
export interface BenchOptions {
  /** The commit to compare with, in git's words, or null. */
  readonly against: string | null
  readonly sections: readonly string[]
  /** The number of runs of each section in both builds. */
  readonly rounds: number
  readonly json: boolean
}

const ROUNDS = 5
const ROUNDS_MAX = 99

/** Reads the options, or returns the mistake in them; `known` are the names of the sections. */
export function readBenchOptions(args: readonly string[], known: readonly string[]): Result<BenchOptions, string> {
  const read = parse(args)
  if (!read.ok) return read
  const { against = null, only, rounds, json = false } = read.value
  const sections = only === undefined ? known : known.filter((name) => only.includes(name))
  const unknown = only?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return err(`--only: expected sections of ${known.join(', ')}, found ${unknown || 'nothing'}`)
  }
  if (rounds !== undefined && against === null) {
    return err('--rounds: expected with --against only')
  }
  const count = Number(rounds ?? ROUNDS)
  if (!Number.isInteger(count) || count < 1 || count > ROUNDS_MAX) {
    return err(`--rounds: expected a whole number from 1 to ${ROUNDS_MAX}, found ${rounds}`)
  }
  return ok({ against, sections, rounds: count, json })
}

interface GivenOptions {
  readonly against?: string | undefined
  readonly only?: readonly string[] | undefined
  readonly rounds?: string | undefined
  readonly json?: boolean | undefined
}

function parse(args: readonly string[]): Result<GivenOptions, string> {
  const text = { type: 'string' } as const
  const options = { against: text, only: text, rounds: text, json: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ args: [...args], options })
    return ok({ ...values, only: values.only?.split(',') })
  } catch (error) {
    // The parser reports a mistake by throwing.
    if (error instanceof TypeError) return err(error.message)
    throw error
  }
}
