/**
 * `npm run fuzz:feeds`: 20,000 mutated files of each kind go through the readers, `inspect` and the cursor.
 *
 * `--seed TEXT` chooses the mutations, `--runs N` how many, `--kind csv|packed|tape` one kind, and `--only N` one
 * number. A failing file is written, and a line shows how to make it again. A thread checks that files keep finishing
 * and that memory stays bounded; otherwise it ends the program.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { randomStream } from '../../src/core/index.ts'
import { type FeedKind, feedKinds, mutatedFeed, originalFeeds, readAnyhow } from '../support/feed-cases.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    runs: { type: 'string', default: '20000' },
    kind: { type: 'string' },
    only: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'pitclock-fuzz-'))
const path = join(folder, 'case')
/** The number of finished files, for the watching thread. */
const done = new Int32Array(new SharedArrayBuffer(4))
const watch = `
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
let last = -1
let since = Date.now()
setInterval(() => {
  const now = Atomics.load(workerData.done, 0)
  if (now !== last) { last = now; since = Date.now() }
  const rss = process.memoryUsage.rss()
  const isStuck = Date.now() - since > 20000
  if (!isStuck && rss < 1.5e9) return
  writeSync(2, (isStuck ? 'hang' : 'memory ' + rss) + ' at file ' + now + ': ' + workerData.path + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 250)`
const watcher = new Worker(watch, { eval: true, workerData: { done, path } })
watcher.unref()

const { seed } = values
const originals = await originalFeeds()
let failures = 0

async function runOne(kind: FeedKind, number: number): Promise<'read' | 'refused' | 'failed'> {
  const mutated = mutatedFeed(originals, { seed, kind, number })
  writeFileSync(path, mutated.bytes)
  try {
    return await readAnyhow(path, mutated, randomStream(seed, `read/${kind}/${number}`))
  } catch (error) {
    const kept = join(folder, `${kind}-${number}`)
    writeFileSync(kept, mutated.bytes)
    const again = `npm run fuzz:feeds -- --seed ${seed} --kind ${kind} --only ${number}`
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${kept}: ${text}\n  again: ${again}\n`)
    return 'failed'
  } finally {
    Atomics.add(done, 0, 1)
  }
}

for (const kind of feedKinds) {
  if (values.kind !== undefined && values.kind !== kind) continue
  const counts = { read: 0, refused: 0, failed: 0 }
  const begun = performance.now()
  const from = values.only === undefined ? 0 : Number(values.only)
  const to = values.only === undefined ? Number(values.runs) : from + 1
  for (let number = from; number < to; number += 1) counts[await runOne(kind, number)] += 1
  failures += counts.failed
  const seconds = Math.round((performance.now() - begun) * 0.001)
  const rss = Math.round(process.memoryUsage.rss() * 1e-6)
  process.stdout.write(
    `${kind}: seed ${seed}, ${to - from} files, ${counts.read} read, ${counts.refused} refused, ${counts.failed} failed, ${seconds} s, ${rss} MB\n`,
  )
}
process.exitCode = failures > 0 ? 1 : 0
await watcher.terminate()
