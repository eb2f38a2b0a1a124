/** Texts of CSV files that a spreadsheet would run as formulas. */
import { expect, test } from 'vitest'
import { defined } from '../../../src/core/index.ts'
import { loadCellEncoder, tableSchemas } from '../../../src/results/index.ts'

const labelColumn = defined(
  tableSchemas.orders.columns.find(({ name }) => name === 'label'),
  'orders have labels',
)

/** The cell of a text in a line of CSV. */
async function cellOf(text: string): Promise<string> {
  const encoder = await loadCellEncoder('csv')
  const parts: Uint8Array[] = []
  const schema = { ...tableSchemas.orders, columns: [labelColumn] }
  const writer = encoder.createCellWriter(schema, { exact: false, metadata: new Map() }, (bytes) =>
    parts.push(bytes.slice()),
  )
  writer.write([[text]])
  writer.close()
  return Buffer.concat(parts).toString('utf8').split('\r\n').slice(1, -1).join('\r\n')
}

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd', "'+cmd"],
  ['-cmd|x', "'-cmd|x"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['-12.5', '-12.5'],
  ['+7', '+7'],
  ['a=1', 'a=1'],
  ['', '""'],
])('C2 %j is written as %j', async (text, cell) => {
  expect(await cellOf(text)).toBe(cell)
})
