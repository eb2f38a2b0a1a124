/** Writes the failures of property tests as scenario files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode } from '../core/index.ts'
import type { RunError } from '../program/index.ts'
import { refuseKind } from './system-words.ts'

/** Options of `scenarioReporter`. */
export interface ScenarioReporterOptions {
  /** The folder of the scenario files. It is created if it does not exist. */
  readonly dir: string
}

/** The parts of fast-check's `RunDetails` that the reporter reads. */
export interface PropertyDetails {
  readonly failed: boolean
  readonly seed: number
  readonly counterexamplePath: string | null
  readonly numRuns: number
  readonly numShrinks: number
  /** The error of the shrunk failure. */
  readonly errorInstance: unknown
}

const NAME_LENGTH_MAX = 60

/**
 * Makes a `reporter` for `fc.assert`. If a property failed with the error of a recorded venue (`recordVenue` of
 * `pitclock/testing`), it writes the shrunk run as a scenario. The scenario fails too if the venue does not meet the
 * expectation of `fail`. The reporter throws an error with the seed, the path, the file and the command that runs the
 * file. The title gives the file its name, and a number is added if another failure has the name. A failure with another
 * error has no file.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist; by the reporter an Error with the code
 * `EXPECTATION` for a property that failed.
 *
 * @example
 * const reporter = scenarioReporter({ dir: 'failures' })
 * fc.assert(fc.property(fc.boolean(), () => true), { reporter })
 */
export function scenarioReporter(options: ScenarioReporterOptions): (details: PropertyDetails) => void {
  checkReporter(options)
  return (details) => {
    if (!details.failed) return
    const { seed, counterexamplePath, numRuns, numShrinks, errorInstance } = details
    const message = errorInstance instanceof Error ? errorInstance.message : 'no run was accepted'
    const lines = [
      `Property failed after ${numRuns} runs and ${numShrinks} shrinks: ${message}`,
      `{ seed: ${seed}, path: ${JSON.stringify(counterexamplePath)} }`,
    ]
    if (isRunError(errorInstance)) {
      const file = writeNew(options.dir, errorInstance.run.title, errorInstance.toScenario())
      lines.push(`The same run as a scenario: npx pitclock run ${file}`)
    }
    const code: ErrorCode = 'EXPECTATION'
    throw Object.assign(new Error(lines.join('\n'), { cause: errorInstance }), { code })
  }
}

/** The name of the file of a failure, without its ending: the words of its title. */
export function scenarioName(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.slice(0, NAME_LENGTH_MAX).replaceAll(/^-|-$/g, '') || 'failure'
}

/**
 * Writes a scenario to a file named after its title. A number distinguishes failures with the same title; the same
 * failure keeps its file.
 */
function writeNew(dir: string, title: string, text: string): string {
  const name = scenarioName(title)
  mkdirSync(dir, { recursive: true })
  for (let number = 1; ; number += 1) {
    const file = join(dir, number === 1 ? `${name}.yaml` : `${name}-${number}.yaml`)
    try {
      writeFileSync(file, text, { flag: 'wx' })
      return file
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      if (readFileSync(file, 'utf8') === text) return file
    }
  }
}

/** Checks the options by hand, because the check of all other functions would load the exchange with `core`. */
function checkReporter(options: ScenarioReporterOptions): void {
  refuseKind('scenarioReporter: options', options, 'object')
  const unknown = Object.keys(options).find((name) => name !== 'dir')
  if (unknown === undefined) {
    refuseKind('scenarioReporter: dir', options.dir, 'string')
    return
  }
  const code: ErrorCode = 'OPTION'
  throw Object.assign(new RangeError(`scenarioReporter: expected one of dir, found ${unknown}`), { code })
}

/** True for an error of a recorded venue. Its class is not imported, because it would load the exchange. */
function isRunError(error: unknown): error is RunError {
  return error instanceof RangeError && 'toScenario' in error
}
