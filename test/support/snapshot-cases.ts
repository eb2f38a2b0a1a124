/**
 * Snapshots of every kind from busy runs, and mutations of them: bits, bytes, cuts, insertions, heads, parts and whole
 * sections of other snapshots. Mutated bytes must be refused with a message, or restore like a snapshot with the same
 * bytes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defined, type RandomStream, type Result } from '../../src/core/index.ts'
import { restore, snapshot } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import { createMetrics, createResultsSink, restoreMetrics, restoreResultsSink } from '../../src/results/index.ts'
import { ownMethods, restoreDesk, snapshotDesk } from '../../src/rpc/index.ts'
import {
  advanceRun,
  createRun,
  parseScenario,
  restoreRun,
  type Scenario,
  type ScenarioRun,
  snapshotRun,
} from '../../src/scenario/index.ts'
import { repository } from './repository.ts'

/** A kind of snapshot: bytes of several states, and the bytes of a restored copy; null if the bytes are refused. */
export interface SnapshotKind {
  readonly name: string
  readonly originals: readonly Uint8Array[]
  readonly again: (bytes: Uint8Array) => Uint8Array | null
}

const THINGS_BETWEEN = 4
const silent = { emit: (): void => undefined }
const alone = { market: null, seats: null }
const digesting = { sha256: nodeSha256, onBlock: silent.emit }

function scenarioOf(name: string): Scenario {
  const file = join(repository, `scenarios/${name}.yaml`)
  const parsed = parseScenario(readFileSync(file, 'utf8'), file)
  return defined(parsed.ok ? parsed.value : undefined, 'an example is sound')
}

/** Snapshots of all kinds during the run of an example. */
export function snapshotKinds(name: string): readonly SnapshotKind[] {
  const scenario = scenarioOf(name)
  const results = createResultsSink(digesting)
  const metrics = createMetrics()
  const emit: typeof results.emit = (event) => {
    results.emit(event)
    metrics.emit(event)
  }
  const run = createRun(scenario, { sink: { emit } })
  const bytes = { engine: [], desk: [], run: [], results: [], metrics: [] } as {
    readonly [kind: string]: Uint8Array[]
  }
  const keep = (kind: string, value: Uint8Array): void => void bytes[kind]?.push(value)
  while (advanceRun(run, THINGS_BETWEEN) === 'more') {
    keep('engine', snapshot(run.desk.exchange))
    keep('desk', snapshotDesk(run.desk))
    keep('run', bytesOf(run))
    keep('results', results.snapshot())
    keep('metrics', metrics.snapshot())
  }
  const kind = (of: string, again: SnapshotKind['again']): SnapshotKind => {
    return { name: of, originals: defined(bytes[of], 'a kind has its snapshots'), again }
  }
  return [
    kind('engine', (from) => after(restore(from), snapshot)),
    kind('desk', (from) => after(restoreDesk(from, silent, { methods: ownMethods }), snapshotDesk)),
    kind('run', (from) => after(restoreRun(from, scenario, { hooks: {}, parts: alone }), bytesOf)),
    kind('results', (from) => after(restoreResultsSink(from, digesting), (it) => it.snapshot())),
    kind('metrics', (from) => after(restoreMetrics(from), (it) => it.snapshot())),
  ]
}

function bytesOf(run: ScenarioRun): Uint8Array {
  const bytes = snapshotRun(run)
  return defined(bytes.ok ? bytes.value : undefined, 'a run of steps can be saved')
}

/** The bytes of a restored snapshot; a refusal must have a message. */
function after<T, E>(restored: Result<T, E>, save: (it: T) => Uint8Array): Uint8Array | null {
  if (restored.ok) return save(restored.value)
  if (JSON.stringify(restored.error).length < 10) throw new RangeError('a refusal has words')
  return null
}

/** Mutated bytes: one to three changes of one snapshot, with parts of another. */
export function mutateSnapshot(originals: readonly Uint8Array[], random: RandomStream): Uint8Array {
  let bytes: Uint8Array = random.pick(originals).slice()
  const other = random.pick(originals)
  for (let left = random.int(1, 3); left > 0; left -= 1) bytes = changed(bytes, other, random)
  return bytes
}

type Change = (bytes: Uint8Array, other: Uint8Array, random: RandomStream) => Uint8Array

const changes: readonly Change[] = [
  (bytes, _other, random) => {
    const at = placeIn(bytes, random)
    return withByte(bytes, at, (bytes[at] ?? 0) ^ (1 << random.int(0, 7)))
  },
  (bytes, _other, random) => withByte(bytes, placeIn(bytes, random), random.int(0, 255)),
  // Heads: magic, version, count, the first name and length.
  (bytes, _other, random) => withByte(bytes, random.int(0, 40), random.int(0, 255)),
  (bytes, _other, random) => bytes.slice(0, placeIn(bytes, random)),
  (bytes, _other, random) => bytes.slice(placeIn(bytes, random)),
  (bytes, _other, random) => {
    const at = placeIn(bytes, random)
    return joined(bytes.slice(0, at), bytes.slice(random.int(0, at)))
  },
  (bytes, other, random) => {
    const at = placeIn(bytes, random)
    return joined(bytes.slice(0, at), other.slice(at))
  },
  withSectionOf,
  withSectionOf,
]

function changed(bytes: Uint8Array, other: Uint8Array, random: RandomStream): Uint8Array {
  return random.pick(changes)(bytes, other, random)
}

/** Replaces the bytes by those of another snapshot from some section on, or one section alone. */
function withSectionOf(bytes: Uint8Array, other: Uint8Array, random: RandomStream): Uint8Array {
  const own = sectionsOf(bytes)
  const given = sectionsOf(other)
  const at = random.int(0, 12)
  const from = own[at]
  const instead = given[at]
  if (from === undefined || instead === undefined) return bytes.slice(0, -1)
  const tail = random.int(0, 1) === 1 ? bytes.slice(from.end) : other.slice(instead.end)
  return joined(bytes.slice(0, from.start), other.slice(instead.start, instead.end), tail)
}

/** The sections of a container, up to the first unreadable one. */
function sectionsOf(bytes: Uint8Array): { readonly start: number; readonly end: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: { start: number; end: number }[] = []
  let start = 'PITCLOCK '.length
  while (start < bytes.length && (bytes[start] ?? 0) >= 0x41) start += 1
  start += 8
  while (start + 40 < bytes.length) {
    const lengthAt = start + 1 + (bytes[start] ?? 0)
    if (lengthAt + 36 > bytes.length) return found
    const end = lengthAt + 36 + view.getUint32(lengthAt, true)
    if (end > bytes.length) return found
    found.push({ start, end })
    start = end
  }
  return found
}

function placeIn(bytes: Uint8Array, random: RandomStream): number {
  return random.int(0, Math.max(0, bytes.length - 1))
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice()
  if (at < copy.length) copy[at] = value
  return copy
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}
