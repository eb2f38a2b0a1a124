/** `pitclock query`: runs SQL over the tables of a run folder. */
import type { Command } from 'commander'
import type { QueryResult, QueryValue } from '../src/node.ts'
import { printJson, refuseFault } from './output.ts'
import { print } from './print.ts'

/** Adds the command. */
export function addQueryCommand(program: Command): void {
  program
    .command('query')
    .description('Query the tables of a run folder with DuckDB (npm install @duckdb/node-api).')
    .argument('<run>', 'a run folder, in any table format')
    .argument('<sql>', 'an SQL query; each table has the name of its file')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock query runs/demo "select account, sum(fee) from fills group by account"
  pitclock query runs/demo "select * from orders where reason is not null limit 5" --json
`,
    )
    .action(queryCommand)
}

async function queryCommand(folder: string, sql: string, flags: { readonly json?: true }): Promise<void> {
  const { queryRun } = await import('../src/node.ts')
  const found = await queryRun(folder, sql)
  if (!found.ok) {
    await refuseFault(found.error.kind, found.error.error, true)
    return
  }
  if (flags.json === true) printJson('query', { version: 1, ...found.value })
  else print(`${gridOf(found.value)}\n`)
}

/** Rows under the names of their columns; numbers are right-aligned. */
function gridOf({ columns, rows }: QueryResult): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => row.map(textOf))]
  const isNumber = columns.map((_, at) => rows.every((row) => isNumeric(row[at] ?? null)))
  const widths = columns.map((_, at) => lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0))
  return lines
    .map((line) => {
      const cells = line.map((cell, at) => {
        const width = widths[at] ?? 0
        return isNumber[at] === true ? cell.padStart(width) : cell.padEnd(width)
      })
      return cells.join('  ').trimEnd()
    })
    .join('\n')
}

function isNumeric(value: QueryValue): boolean {
  return value === null || typeof value === 'number'
}

function textOf(value: QueryValue): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
