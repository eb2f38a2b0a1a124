/** `pitclock inspect`: shows the contents of a recorded file, a tape, a table, an event log or a run folder. */
import type { Command } from 'commander'
import type { FeedInspection, Inspection, LogInspection, RunInspection, TableInspection } from '../../src/node.ts'
import { misuse, printJson, refuseFault } from '../output.ts'
import { print } from '../print.ts'
import { withSeparators } from '../progress.ts'
import { addFeedFlags, type FeedFlags, readFeedFlags } from './feed-flags.ts'

interface InspectFlags extends FeedFlags {
  readonly head: string
  readonly json?: true
  readonly trust?: true
}

/** Adds the command. */
export function addInspectCommand(program: Command): void {
  const command = program
    .command('inspect')
    .description('Show the contents of a file or run folder: times, first rows, anomalies, columns and hashes.')
    .argument('<path>', 'a recorded file, a tape, a table (.arrow), an event log, a run folder, or - for stdin')
    .option('--head <n>', 'number of rows to show from the start', '5')
  addFeedFlags(command)
    .option('--json', 'print one JSON object')
    .option('--trust', 'show a run folder even if its files differ from its manifest')
    .addHelpText(
      'before',
      `Examples:
  pitclock inspect incremental_book_L2.csv.gz
  pitclock inspect book.arrow --head 20
  pitclock inspect runs/demo --json
`,
    )
    .action(inspectCommand)
}

async function inspectCommand(path: string, flags: InspectFlags): Promise<void> {
  if (!/^[0-9]{1,6}$/.test(flags.head)) {
    misuse({ path: '--head', expected: 'a whole number', found: flags.head })
    return
  }
  const options = await readFeedFlags(flags)
  if (options === null) return
  const { inspect } = await import('../../src/node.ts')
  const result = await inspect(path, {
    ...options,
    head: Number(flags.head),
    trust: flags.trust === true,
  })
  if (!result.ok) {
    await refuseFault(result.error.kind, result.error.error)
    return
  }
  if (flags.json === true) printJson('inspect', { version: 1, ...result.value })
  else print(`${linesOf(result.value).join('\n')}\n`)
}

function linesOf(inspection: Inspection): string[] {
  switch (inspection.type) {
    case 'run':
      return runLines(inspection)
    case 'table':
      return tableLines(inspection)
    case 'log':
      return logLines(inspection)
    default:
      return feedLines(inspection)
  }
}

function feedLines(feed: FeedInspection): string[] {
  const amountName = feed.kind === 'index' ? 'mark' : 'amount'
  return [
    ...pairs([
      ['file', feed.file],
      ['packing', feed.type === 'tape' ? 'tape' : feed.packing],
      ['format', feed.format],
      ['kind', feed.kind],
      ['symbol', feed.symbol ?? '-'],
      ['rows', withSeparators(feed.rows)],
      ['timestamp', `${feed.from ?? '-'} to ${feed.until ?? '-'}`],
      ['local_timestamp', `${feed.local_from ?? '-'} to ${feed.local_until ?? '-'}`],
      ['source sha256', feed.source_sha256],
    ]),
    ...section(
      ['row', 'timestamp', 'local_timestamp', 'side', 'price', amountName, 'flags'],
      feed.head.map((row) => [
        String(row.row),
        row.timestamp,
        row.local_timestamp,
        row.side ?? '',
        row.price,
        row.amount ?? row.mark ?? '',
        row.flags.join(' '),
      ]),
    ),
    '',
    ...grid(
      ['check', 'count', 'first row'],
      feed.quality.map((row) => [row.check, withSeparators(row.count), String(row.first_row ?? '')]),
    ),
    ...section(['column', 'type', 'scale', 'unit', 'description'], feed.columns.map(columnCells)),
  ]
}

function tableLines(table: TableInspection): string[] {
  const names = table.columns.map(({ name }) => name)
  return [
    ...pairs([
      ['file', table.file],
      ['rows', withSeparators(table.rows)],
      ['sha256', table.sha256],
      ...Object.entries(table.metadata),
    ]),
    ...section(
      names,
      table.head.map((row) => names.map((name) => String(row[name] ?? ''))),
    ),
    '',
    ...grid(['column', 'type', 'scale', 'unit', 'description'], table.columns.map(columnCells)),
  ]
}

function logLines(log: LogInspection): string[] {
  return [
    ...pairs([
      ['log', log.file],
      ['time', `${log.from ?? '-'} to ${log.until ?? '-'}`],
      ['bytes', withSeparators(log.bytes)],
      ['digest', log.digest],
    ]),
    '',
    ...grid(
      ['family', 'events'],
      [
        ...log.families.map(({ family, events }) => [family, withSeparators(events)]),
        ['all', withSeparators(log.events)],
      ],
    ),
  ]
}

function columnCells(column: TableInspection['columns'][number]): readonly string[] {
  return [
    column.name,
    column.type,
    column.scale === 0 ? '' : String(column.scale),
    column.unit ?? '',
    column.description ?? '',
  ]
}

function runLines(run: RunInspection): string[] {
  return [
    ...pairs([
      ['run', run.file],
      ['title', run.title],
      ['status', run.status],
      ['seed', run.seed],
      ['time', `${run.from} to ${run.until}`],
      ['digest', run.digest],
      ['format', run.table_format],
    ]),
    '',
    ...grid(
      ['table', 'rows', 'digest'],
      run.tables.map(({ name, rows, digest }) => [name, withSeparators(rows), digest]),
    ),
    ...run.tables
      .filter(({ rows, columns }) => rows > 0 && columns.length > 0)
      .flatMap((table) => ['', `${table.name}:`, ...tableLines(table)]),
  ]
}

function section(names: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', ...grid(names, rows)]
}

function pairs(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', value = '']) => `${name.padEnd(width)}  ${value}`)
}

/** Rows in columns of minimal width. */
function grid(names: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [names, ...rows]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
