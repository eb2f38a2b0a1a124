/**
 * Sends the requests in its parameters, each at its time. Shows how the venue answers several requests that are under
 * way together.
 */
import { defineStrategy, type StrategyMethod, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** Requests of one time are sent in the order of the list. */
  requests: readonly {
    /** Time after the start, such as `20ms`. */
    at: string
    method: StrategyMethod
    params: Parameters<StrategyVenue['request']>[1]
    /** Number of times to send it, once by default. */
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
