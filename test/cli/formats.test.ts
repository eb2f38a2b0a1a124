/**
 * Formats of run folders on the command line: runs that write Parquet, CSV and JSONL, exports of folders, and messages
 * about folders that cannot be exported. It runs the built program.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/node.ts'
import { pitclock, scratch, shell } from '../support/built-program.ts'
import { sampleOf } from '../support/property-runs.ts'

const scenario = 'scenarios/options/call-to-expiry.yaml'
const formats = ['parquet', 'csv', 'jsonl'] as const

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

/** Runs the scenario into a folder and returns its path. */
function ran(...flags: readonly string[]): string {
  const out = join(scratch(), 'run')
  expect(pitclock(['run', scenario, '--out', out, '-q', ...flags])).toMatchObject({ code: 0 })
  return out
}

describe('the folder of a run in another format', () => {
  test.each(formats)('%s: the same hashes of tables, and the rows that a reader finds', async (format) => {
    const arrow = manifestOf(ran())
    const folder = ran('--format', format)
    const manifest = manifestOf(folder)
    expect(manifest.table_format).toBe(format)
    expect(manifest.digest).toBe(arrow.digest)
    expect(manifest.tables).toEqual(arrow.tables.map((table) => ({ ...table, file: `${table.name}.${format}` })))
    const file = readFileSync(join(folder, `fills.${format}`))
    const rows =
      format === 'parquet'
        ? await parquetReadObjects({ file: new Uint8Array(file).buffer })
        : format === 'csv'
          ? parse(file, { columns: true })
          : file.toString('utf8').trim().split('\n')
    const known = arrow.tables.find(({ name }) => name === 'fills')
    expect(rows.length).toBe(known?.rows)
    expect(rows.length).toBeGreaterThan(0)
  })

  test('pitclock inspect shows it; commands that need Arrow tables report the other format', () => {
    const folder = ran('--format', 'csv')
    const { code, out } = pitclock(['inspect', folder])
    expect(code).toBe(0)
    expect(out).toContain('format  csv')
    expect(pitclock(['compare', folder, folder])).toMatchObject({ code: 3 })
    const { err } = pitclock(['compare', folder, folder])
    expect(err).toContain('table_format: expected arrow, found csv')
    expect(err).toContain('--format arrow')
  })

  test('a journal writes the format of its run, and --format another one', () => {
    const folder = ran('--format', 'jsonl')
    const [again, arrow] = [join(scratch(), 'again'), join(scratch(), 'arrow')]
    const journal = join(folder, 'journal.jsonl')
    expect(pitclock(['run', journal, '--out', again, '-q']).code).toBe(0)
    expect(readdirSync(again)).toEqual(readdirSync(folder))
    expect(pitclock(['run', journal, '--out', arrow, '--format', 'arrow', '-q']).code).toBe(0)
    expect(manifestOf(arrow).table_format).toBe('arrow')
    expect(manifestOf(arrow).tables.map(({ digest }) => digest)).toEqual(
      manifestOf(folder).tables.map(({ digest }) => digest),
    )
  })

  test('a scenario chooses it with record: { format: … }', () => {
    const file = join(scratch(), 'own.yaml')
    const out = join(scratch(), 'run')
    const text = readFileSync('scenarios/orders/post-only-slides.yaml', 'utf8')
    writeFileSync(file, `${text}\nrecord: { format: csv }\n`)
    expect(pitclock(['run', file, '--out', out, '-q']).code).toBe(0)
    expect(existsSync(join(out, 'fills.csv'))).toBe(true)
    writeFileSync(file, `${text}\nrecord: { format: xml }\n`)
    const { code, err } = pitclock(['run', file, '--out', out, '-q'])
    expect(code).toBe(3)
    expect(err).toContain('record.format: expected one of arrow, parquet, csv, jsonl, found "xml"')
  })

  test.each(formats)('%s: a full disk is reported with the file, and nothing is left', (format) => {
    const out = join(scratch(), 'run')
    const { code, err } = shell(`ulimit -f 4; $PITCLOCK run ${scenario} --format ${format} --out ${out}`)
    expect(code).toBe(4)
    expect(err).toMatch(/run\.partial\/[a-z_]+\.[a-z]+: expected a writable path/)
    expect(readdirSync(join(out, '..'))).toEqual([])
  })

  test('an unknown format is a usage error', () => {
    const { code, err } = pitclock(['run', scenario, '--format', 'xml'])
    expect(code).toBe(2)
    expect(err).toContain('Allowed choices are arrow, parquet, csv, jsonl')
  })
})

describe('pitclock export', () => {
  test.each([
    ['doubles', []],
    ['exact figures', ['--exact']],
  ])('writes the same files as the run itself: %s', (_, flags) => {
    const folder = ran(...flags)
    for (const format of sampleOf(formats, 1)) {
      const direct = ran('--format', format, ...flags)
      const { code, out } = pitclock(['export', folder, '--format', format])
      expect(code).toBe(0)
      const exported = `${folder}-${format}`
      expect(out).toContain(`written to ${exported}`)
      expect(readdirSync(exported)).toEqual(readdirSync(direct))
      for (const name of readdirSync(exported)) {
        if (!name.endsWith(`.${format}`) || name === 'journal.jsonl') continue
        expect(readFileSync(join(exported, name)).equals(readFileSync(join(direct, name)))).toBe(true)
      }
      const { table_format: _format, files: _files, sha256: _sha256, ...own } = manifestOf(exported)
      expect(own).toMatchObject({ digest: manifestOf(folder).digest })
      expect(pitclock(['inspect', exported]).code).toBe(0)
      expect(pitclock(['run', exported, '-q']).code).toBe(0)
    }
  })

  test('d16 an exact run has its figures as decimals in every format', async () => {
    const folder = ran('--exact')
    const exported = (format: string): string => {
      expect(pitclock(['export', folder, '--format', format]).code).toBe(0)
      return `${folder}-${format}/trades.${format}`
    }
    const rows = parse(readFileSync(exported('csv')), { columns: true }) as { price: string }[]
    const prices = rows.map(({ price }) => price)
    expect(prices.length).toBeGreaterThan(0)
    for (const price of prices) expect(price).toMatch(/^\d{1,6}(?:\.\d{1,9})?$/)
    const lines = readFileSync(exported('jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => /"price":"([^"]+)"/.exec(line)?.[1])).toEqual(prices)
    const parquet = new Uint8Array(readFileSync(exported('parquet'))).buffer
    const found = await parquetReadObjects({ file: parquet })
    // The reader multiplies the integer of a DECIMAL by a double.
    expect(found.map((row) => String(Number(row['price'].toFixed(9))))).toEqual(prices)
  })

  test('N7 metrics that are sums of money have a decimal in the column exact', () => {
    const out = `${ran('--exact', '--format', 'csv')}/metrics.csv`
    const rows = parse(readFileSync(out), { columns: true }) as {
      readonly [column: string]: string
    }[]
    const sums = rows.filter(({ exact }) => exact !== '')
    expect(new Set(sums.map(({ unit }) => unit))).toEqual(new Set(['currency']))
    const names = new Set(sums.map(({ metric }) => metric))
    for (const name of ['profit_total', 'profit_fees', 'turnover']) expect(names).toContain(name)
    for (const { exact, value } of sums) {
      expect(exact).toMatch(/^-?\d+(?:\.\d{1,9})?$/)
      expect(Number(value)).toBe(Number(exact))
    }
  })

  test('--out and --force set the target, --json shows the written files', () => {
    const folder = ran()
    const out = join(scratch(), 'tables')
    const reported = pitclock(['export', `${folder}/`, '--out', out, '--json'])
    const report = JSON.parse(reported.out) as { out: string; format: string; tables: object[] }
    expect(report).toMatchObject({ version: 1, out, format: 'parquet' })
    expect(report.tables.length).toBe(manifestOf(folder).tables.length)
    const again = pitclock(['export', folder, '--out', out])
    expect(again).toMatchObject({ code: 4 })
    expect(again.err).toContain('expected a path for a new folder, found the folder of another run')
    expect(pitclock(['export', folder, '--out', out, '--format', 'csv', '--force']).code).toBe(0)
    expect(readdirSync(out)).toContain('fills.csv')
    expect(readdirSync(out)).not.toContain('fills.parquet')
  })

  test('a folder that cannot be exported is reported, and nothing is written', () => {
    const folder = ran()
    const beside = (): string[] => readdirSync(join(folder, '..'))
    const refused = (words: string, code = 3): void => {
      const found = pitclock(['export', folder])
      expect(found.err).toContain(words)
      expect(found.code).toBe(code)
      expect(beside()).toEqual(['run'])
    }
    const path = join(folder, 'manifest.json')
    const manifest = readFileSync(path, 'utf8')
    writeFileSync(path, manifest.replace('"format": 3', '"format": 9'))
    refused('manifest.json: format: expected the manifest of a run, format 3')
    writeFileSync(path, manifest.replace('"seed": "', '"seed": "1'))
    refused('expected the original manifest, found a changed manifest')
    rmSync(path)
    refused('manifest.json: expected the manifest of a run, found no such file')
    writeFileSync(path, manifest)
    const fills = join(folder, 'fills.arrow')
    writeFileSync(fills, readFileSync(fills).subarray(0, 100))
    refused('fills.arrow: expected the file as the run wrote it')
    expect(pitclock(['export', ran('--format', 'csv')]).err).toContain('expected arrow, found csv')
    expect(pitclock(['export', folder, '--format', 'arrow']).code).toBe(2)
  })

  test('a full disk is reported with the file, and nothing is left', () => {
    const folder = ran()
    const { code, err } = shell(`ulimit -f 4; $PITCLOCK export ${folder} --format jsonl`)
    expect(code).toBe(4)
    expect(err).toMatch(/run-jsonl\.partial\/[a-z_]+\.jsonl: expected a writable path/)
    expect(readdirSync(join(folder, '..'))).toEqual(['run'])
  })
})
