/**
 * A strategy that sends what its parameters list, each request at its time: shows how the venue answers requests
 * that are on their way together.
 */
import { defineStrategy, type StrategyMethod, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** Those of one time are sent one after another, in their order. */
  requests: readonly {
    /** After the start, such as `20ms`. */
    at: string
    method: StrategyMethod
    params: Parameters<StrategyVenue['request']>[1]
    /** How often it is sent; once where absent. */
    times?: number
  }[]
}

export default defineStrategy<Params>(({ requests }) => {
  const moments = new Set(requests.map(({ at }) => at))
  return {
    onStart: (venue) => {
      for (const at of moments) venue.setTimer(at, at)
    },
    onTimer: (name, venue) => {
      for (const { at, method, params, times = 1 } of requests) {
        if (at !== name) continue
        for (let sent = 0; sent < times; sent += 1) venue.request(method, params)
      }
    },
    save: () => null,
    load: () => undefined,
  }
})
