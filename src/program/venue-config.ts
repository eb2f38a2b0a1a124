/** Checks the settings from a program against their declarations. */
import { coded } from '../core/index.ts'
import { type ExchangeConfig, readSettings, venueSettings } from '../model/index.ts'

/** Throws `RangeError` at the first invalid setting; the message has its name, the expected and the found value. */
export function checkConfig(config: ExchangeConfig): void {
  const reading = { place: 'config', start: config.start, path: ['config'] } as const
  const [fault] = readSettings(venueSettings, config, reading).faults
  if (fault === undefined) return
  const { path, expected, found, words = String(found) } = fault
  const problem = `${path.join('.')}: expected ${expected}, found ${words}`
  throw coded(new RangeError(problem), 'OPTION')
}
