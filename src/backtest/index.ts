/**
 * The face of `backtest`: sources of requests, the loop that merges them, a population of traders.
 */
export { createLoop, type Loop, type LoopHooks, runLoop } from './loop.ts'
export {
  type PopulationSpec,
  populationSchema,
  populationSetup,
  populationSource,
} from './population.ts'
export { type RequestSource, type TimedRequest, watchedSink } from './source.ts'
