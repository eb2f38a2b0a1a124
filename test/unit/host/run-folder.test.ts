/** Run folders on disk: their content, their refusals, and the rest of an interrupted run. */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defined, formatInputError, micros } from '../../../src/core/index.ts'
import { openArrowFile } from '../../../src/host/arrow-file.ts'
import {
  type FileRow,
  type Manifest,
  nodeSha256,
  type RunFolderOptions,
  readManifest,
  readTable,
} from '../../../src/host/index.ts'
import { openRunFolder } from '../../../src/host/run-folder.ts'
import { createResultsSink, tableNames, usualTerms } from '../../../src/results/index.ts'
import { createRowCollector } from '../../support/block-rows.ts'
import type { NaiveRow } from '../../support/naive-columns.ts'
import { randomEvents } from '../../support/random-events.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitclock-run-folder-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

const options: RunFolderOptions = {
  ...{ force: false, format: 'arrow', exact: true, journal: true, asked: [], seed: '7' },
  saving: false,
  metrics: usualTerms,
  engine: { name: 'pitclock', version: '0.1.0' },
  scenario: { title: 'A run', sha256: 'ab'.repeat(32), set: [] },
  receipt: {
    made_by: { node: '20.19.0', command: ['run'], file: 'a.yaml', sha256: 'ab'.repeat(32) },
    ...{ feeds: [], strategies: [] },
  },
}

interface FinishedRun {
  readonly manifest: Manifest
  readonly rows: ReadonlyMap<string, readonly NaiveRow[]>
}

async function run(
  path: string,
  change: Partial<RunFolderOptions> & { readonly status?: 'interrupted' } = {},
): Promise<FinishedRun> {
  const opened = await openRunFolder(path, { ...options, ...change })
  if (!opened.ok) throw new Error(formatInputError(opened.error))
  const folder = opened.value
  const collector = createRowCollector()
  const sink = createResultsSink({
    sha256: nodeSha256,
    onBlock: (block, names) => {
      collector.onBlock(block, names)
      folder.onBlock(block, names)
    },
  })
  const events = randomEvents({ seed: 31, length: 9000 })
  for (const event of events) sink.emit(event)
  folder.journal?.write({ method: 'public/test', params: {} })
  const closed = folder.close({
    ...{ status: change.status ?? 'complete', digest: sink.finish() },
    ...{ from: micros(1_767_600_000_000_000), to: micros(1_767_600_030_500_000) },
    ...{ requests: 1, events: events.length },
    metrics: { every: '1d', periods_per_year: 365, risk_free: 0, benchmark: 'btc_usd' },
  })
  if (!closed.ok) throw new Error(formatInputError(closed.error))
  return { manifest: closed.value, rows: collector.rows }
}

async function rowsOf(path: string, table: string): Promise<FileRow[]> {
  const opened = await readTable(path, table)
  if (!opened.ok) throw new Error(formatInputError(opened.error))
  const rows: FileRow[] = []
  for await (const batch of opened.value.batches()) rows.push(...batch)
  await opened.value.close()
  return rows
}

/** Tables that are written only on request. */
const asked = ['book', 'quotes', 'book_snapshots', 'bars'] as const

describe('a complete run', () => {
  test('has a file for each table, a journal, and a manifest that says so', async () => {
    const path = join(home, 'run')
    const { manifest } = await run(path)
    const tables = tableNames.filter((name) => !asked.some((known) => known === name))
    const names = [...tables.map((name) => `${name}.arrow`), 'journal.jsonl']
    expect((await readdir(path)).toSorted()).toEqual([...names, 'manifest.json'].toSorted())
    expect(await readManifest(path)).toEqual({ ok: true, value: manifest })
    expect(manifest.files.map(({ name }) => name)).toEqual(names)
    for (const { name, bytes } of manifest.files) {
      expect((await readFile(join(path, name))).length).toBe(bytes)
    }
    expect(manifest).toMatchObject({ from: '2026-01-05T08:00:00Z', to: '2026-01-05T08:00:30.500Z' })
    expect(Object.keys(manifest)).toEqual([
      ...['format', 'status', 'engine', 'made_by', 'seed', 'scenario', 'feeds', 'strategies'],
      ...[
        'from',
        'to',
        'requests',
        'events',
        'exact',
        'table_format',
        'metrics',
        'digest',
        'tables',
        'files',
        'sha256',
      ],
    ])
  })

  test('gives back every row of every table', async () => {
    const path = join(home, 'run')
    const { rows } = await run(path, { asked })
    for (const name of tableNames) expect(await rowsOf(path, name)).toEqual(rows.get(name) ?? [])
  })

  test('gives the same bytes a second time', async () => {
    await run(join(home, 'first'))
    await run(join(home, 'second'))
    for (const name of await readdir(join(home, 'first'))) {
      const [first, second] = await Promise.all(['first', 'second'].map((folder) => readFile(join(home, folder, name))))
      expect(defined(first, 'a file').equals(defined(second, 'a file'))).toBe(true)
    }
  })

  test('is not overwritten unless forced', async () => {
    const path = join(home, 'run')
    await run(path)
    const refused = await openRunFolder(path, options)
    expect(refused).toMatchObject({ ok: false, error: { file: path, hint: '--force replaces it' } })
    const { manifest } = await run(path, { force: true, journal: false })
    expect(await readManifest(path)).toEqual({ ok: true, value: manifest })
    expect(await readdir(path)).not.toContain('journal.jsonl')
  })

  test('never replaces a folder that holds anything else', async () => {
    await writeFile(join(home, 'thesis.txt'), 'years of work')
    const refused = await openRunFolder(home, { ...options, force: true })
    expect(refused).toMatchObject({
      error: { found: 'something other than the folder of a run' },
    })
    expect(await readFile(join(home, 'thesis.txt'), 'utf8')).toBe('years of work')
  })
})

describe('an interrupted run', () => {
  test('leaves valid files and a manifest in the partial folder', async () => {
    const path = join(home, 'run')
    const { manifest, rows } = await run(path, { status: 'interrupted' })
    expect(await readdir(home)).toEqual(['run.partial'])
    expect(manifest.status).toBe('interrupted')
    expect(await readManifest(`${path}.partial`)).toEqual({ ok: true, value: manifest })
    expect(await rowsOf(`${path}.partial`, 'orders')).toEqual(rows.get('orders'))
  })

  test('H01 is not lost to the next run, which has a separate partial folder', async () => {
    const path = join(home, 'run')
    const { manifest } = await run(path, { status: 'interrupted' })
    await run(path, { force: true })
    expect((await readdir(home)).toSorted()).toEqual(['run', 'run.partial'])
    expect(await readManifest(`${path}.partial`)).toEqual({ ok: true, value: manifest })
  })
})

describe('a damaged folder', () => {
  test('a truncated, empty or foreign table is refused with its content', async () => {
    const path = join(home, 'run')
    await run(path)
    const file = join(path, 'orders.arrow')
    const bytes = await readFile(file)
    const found = async (): Promise<string> => {
      const opened = await openArrowFile(file)
      return opened.ok ? 'nothing' : opened.error.found
    }
    for (const size of [bytes.length - 1, bytes.length >> 1, 12]) {
      await truncate(file, size)
      expect(await found()).toBe('a truncated file')
    }
    await writeFile(file, '')
    expect(await found()).toBe('an empty file')
    await writeFile(file, 'time,price\n1,2\n')
    expect(await found()).toBe('a file of another type')
    const footerAt = bytes.length - 10 - bytes.readInt32LE(bytes.length - 10)
    await writeFile(file, Buffer.from(bytes).fill(0xff, footerAt, bytes.length - 10))
    expect(await found()).toBe('a damaged file')
    await rm(file)
    expect(await found()).toContain('no such file')
  })

  test('a manifest that is missing or of another form is refused', async () => {
    const path = join(home, 'run')
    const { manifest } = await run(path)
    const file = join(path, 'manifest.json')
    await writeFile(file, JSON.stringify({ ...manifest, format: 1 }))
    expect(await readManifest(path)).toMatchObject({ ok: false, error: { file, path: 'format' } })
    await writeFile(file, '{')
    expect((await readManifest(path)).ok).toBe(false)
    await rm(file)
    expect((await readManifest(path)).ok).toBe(false)
  })

  test('a table that the run does not have is refused with the existing ones', async () => {
    const path = join(home, 'run')
    await run(path)
    const refused = await readTable(path, 'ordres')
    expect(refused).toMatchObject({ ok: false, error: { found: 'ordres' } })
  })
})
