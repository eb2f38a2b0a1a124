/**
 * Shrinks a failing run by removing steps that do not matter, and writes the scenario file that reproduces it. It
 * removes ever smaller pieces. Because a removed step changes the state for later steps, the result is small but not
 * minimal.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event, ExchangeConfig, InstrumentSpec } from '../../src/model/index.ts'
import { CommandStream, configOf, type Intent, type World } from './command-stream.ts'
import { NaiveExchange } from './naive-exchange.ts'
import { type ChannelMessage, scenarioOf } from './scenario-of-commands.ts'

/** The steps of a smaller run that still fails. */
export function shrunkSteps(steps: readonly Intent[], fails: (steps: readonly Intent[]) => boolean): readonly Intent[] {
  let left = steps
  let size = Math.ceil(steps.length / 2)
  while (size > 0) {
    for (let at = left.length - size; at >= 0; at -= size) {
      const fewer = [...left.slice(0, at), ...left.slice(at + size)]
      if (fails(fewer)) left = fewer
    }
    size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return left
}

/** An event in one line. */
function lineOf(event: Event): string {
  return JSON.stringify(event, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Commands of a run with the naive exchange's events, up to the point where it fails. */
export function reportedOf(world: World, steps: readonly Intent[]): readonly ChannelMessage[] {
  const stream = new CommandStream(world)
  const naive = new NaiveExchange(configOf(world))
  for (const event of naive.beginning) stream.observe(event)
  const reported: ChannelMessage[] = []
  const step = (command: ChannelMessage['command']): void => {
    reported.push({ command, events: [] })
    const events = naive.apply(command)
    reported[reported.length - 1] = { command, events }
    for (const event of events) stream.observe(event)
  }
  for (const command of stream.opening()) step(command)
  for (const intent of steps) step(stream.next(intent))
  return reported
}

/** Instruments that the venue's schedule lists before all commands. */
export function listedAtFirst(config: ExchangeConfig): readonly InstrumentSpec[] {
  return new NaiveExchange(config).beginning.flatMap((event) => (event.kind === 'instrument' ? [event.instrument] : []))
}

/** Writes a failing run as a scenario in a temporary folder, and returns its path. */
export function writeShrunk(
  world: World,
  steps: readonly Intent[],
  failure: { readonly seed: number; readonly problem: string },
): string {
  const { seed, problem } = failure
  const path = join(tmpdir(), `pitclock-shrunk-${seed}.yaml`)
  const title = `Engine and naive exchange differ at the last step (seed ${seed})`
  // Removes the colour codes of the terminal.
  const plain = problem.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
  const reported = reportedOf(world, steps)
  const expected = (reported.at(-1)?.events ?? []).map((event) => `the naive exchange: ${lineOf(event)}`)
  const notes = [...plain.split('\n'), ...expected]
  const config = configOf(world)
  writeFileSync(path, scenarioOf({ title, config, reported, listed: listedAtFirst(config), notes }))
  return path
}
