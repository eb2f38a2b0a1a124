/** Rows of a block as plain objects, and a sink that collects them. Tests of results compare these rows. */
import { defined } from '../../src/core/index.ts'
import { type Block, type BlockConsumer, exactAt, type IdNames, isValidAt } from '../../src/results/index.ts'
import type { NaiveRow } from './naive-columns.ts'

/** The rows of a block in their exact form. */
function rowsOfBlock(block: Block, names: IdNames): NaiveRow[] {
  return Array.from({ length: block.rows }, (_, row) => rowOfBlock(block, names, row))
}

/** Collects the rows of all blocks by table. */
export function createRowCollector(): {
  readonly rows: Map<string, NaiveRow[]>
  readonly onBlock: BlockConsumer
} {
  const rows = new Map<string, NaiveRow[]>()
  return {
    rows,
    onBlock(block, names) {
      const { name } = block.schema
      rows.set(name, [...(rows.get(name) ?? []), ...rowsOfBlock(block, names)])
    },
  }
}

function rowOfBlock(block: Block, names: IdNames, row: number): NaiveRow {
  const cells = new Map<string, NaiveRow[string]>()
  for (const column of block.columns) {
    const { name, type, words } = column.schema
    const value = exactAt(column, row)
    if (!isValidAt(column, row)) cells.set(name, null)
    else if (type === 'boolean') cells.set(name, value === 1)
    else if (type === 'dictionary') cells.set(name, defined(words[Number(value)], 'a known code'))
    else cells.set(name, value)
  }
  return Object.fromEntries(
    block.schema.columns.map(({ name, derivedFrom }) => {
      if (derivedFrom === null) return [name, defined(cells.get(name), 'a stored column')]
      const id = defined(cells.get(derivedFrom), 'the id of a derived column')
      return [name, id === null ? null : defined(names[derivedFrom][Number(id)], 'a known id')]
    }),
  )
}
