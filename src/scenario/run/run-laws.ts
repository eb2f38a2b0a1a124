/**
 * The laws of the events of a run, for `expect: { laws: hold }`. The first violation becomes a failure, and no further
 * event is checked. After `sim/restore` the events of the run no longer form one sequence, so the checks end there.
 */
import { type Exchange, eventCountOf } from '../../engine/index.ts'
import type { EventSink } from '../../model/index.ts'
import { continuedRun, EventLaws } from '../../rpc/index.ts'

/** Checks the laws of the events of one run. */
export interface RunLaws {
  readonly sink: EventSink
  /** Ends the checks. */
  end(): void
  /** Continues with the exchange of a restored run; does nothing for a new run. */
  follow(exchange: Exchange): void
}

/**
 * Creates the checks of the events of a run, for the hook `laws`; `report` receives the sentence about the first violation.
 *
 * @example
 * import { createRun, parseScenario } from 'pitclock'
 * import { createRunLaws } from 'pitclock/testing'
 *
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nexpect: { laws: hold }\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (scenario.ok) console.log(createRun(scenario.value, { laws: createRunLaws }).failures) // []
 */
export function createRunLaws(report: (broken: string) => void): RunLaws {
  const laws = new EventLaws()
  let isOver = false
  const emit: EventSink['emit'] = (event) => {
    if (isOver) return
    try {
      laws.emit(event)
    } catch (error) {
      if (!(error instanceof RangeError && 'code' in error && error.code === 'LAW')) throw error
      isOver = true
      report(error.message)
    }
  }
  return {
    sink: { emit },
    end: () => {
      isOver = true
    },
    follow: (exchange) => {
      if (laws.count !== eventCountOf(exchange)) laws.continueFrom(continuedRun(exchange))
    },
  }
}
