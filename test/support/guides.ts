/**
 * The guides: every README of the repository, CONTRIBUTING, and the page for users of other tools. `npm run guides`
 * prints parts of them from declarations, and `test/guides.test.ts` checks that they are current.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { type GatewayMessage, gatewayMessages, type MessageField, methodNames } from '../../src/gateways/index.ts'
import { type ColumnSchema, tableNames, tableSchemas } from '../../src/results/index.ts'
import { channelList, unservedMethods } from '../../src/rpc/index.ts'
import { entryTable, nameTable } from './entry-guides.ts'
import { entryPoints } from './entry-points.ts'
import { layoutTable, wordTable } from './log-layout.ts'
import { methodTables, typeTables } from './method-guides.ts'
import { repository } from './repository.ts'
import { settingTable } from './settings-guide.ts'

/** Every guide by its path in the repository. */
export const guides: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'cli/README.md', 'data/README.md', 'src/README.md'],
  ...['src/rpc/README.md', 'test/README.md', 'scenarios/README.md'],
  'src/program/coming-from.md',
  ...entryPoints().map(({ page }) => `${page}/README.md`),
  ...scenarioFolders().map((folder) => `scenarios/${folder}/README.md`),
]

/** Folders of scenarios. */
export function scenarioFolders(): readonly string[] {
  const entries = readdirSync(join(repository, 'scenarios'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** The text of a guide. */
export function guideText(guide: string): string {
  return readFileSync(join(repository, guide), 'utf8')
}

const printers: Readonly<Record<string, (folder: string) => string>> = {
  files: fileTable,
  tables: columnTables,
  methods: methodTables,
  types: typeTables,
  channels: channelTable,
  unserved: unservedTable,
  settings: settingTable,
  messages: messageTable,
  entries: entryTable,
  families: layoutTable,
  words: wordTable,
  names: nameTable,
}

/** A guide with its generated parts printed from the current declarations. */
export function withPrinted(guide: string, text: string): string {
  return text
    .replace(/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin: string, name: string, end: string) => {
      const print = printers[name]
      if (print === undefined) throw new RangeError(`${guide} asks for ${name}, which nobody prints`)
      return `${begin}\n${print(dirname(guide))}\n\n${end}`
    })
    .replace(
      /(<!-- printed: methods -->)\d+(<!-- end -->)/g,
      (_, begin: string, end: string) => `${begin}${methodNames.length}${end}`,
    )
}

/** The table of a folder's scenarios with their titles. */
function fileTable(folder: string): string {
  const files = readdirSync(join(repository, folder)).filter((name) => name.endsWith('.yaml'))
  const rows = files.sort().map((name) => {
    const { title } = parse(guideText(join(folder, name))) as { readonly title: string }
    return `| [${name}](${name}) | ${title} |`
  })
  return ['| File | Shows |', '|---|---|', ...rows].join('\n')
}

/** Every result table with its columns. */
function columnTables(): string {
  return tableNames
    .map((name) => {
      const { columns } = tableSchemas[name]
      const rows = columns.map((column) => `| \`${column.name}\`${unitOf(column)} | ${cellOf(column.description)} |`)
      return [`### ${name}.arrow`, '', '| Column | Meaning |', '|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** A unit, and whether a cell may be empty. */
function unitOf({ unit, nullable }: ColumnSchema): string {
  return `${unit === '' ? '' : ` (${unit})`}${nullable ? ' ?' : ''}`
}

/** Escapes a text for a cell of a table. */
function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Every kind of channel. */
function channelTable(): string {
  const rows = channelList.map(({ forms, content: tells, first, fedBy }) => {
    const names = forms.map((form) => `\`${form}\``).join(', ')
    return `| ${names} | ${cellOf(tells)} | ${first ?? ''} | ${cellOf(fedBy)} |`
  })
  return ['| Channel | Content | First message | Sources |', '|---|---|---|---|', ...rows].join('\n')
}

/** Every published method that is not served, with the reason. */
function unservedTable(): string {
  const rows = Object.entries(unservedMethods).map(([name, { reason, instead }]) => {
    return `| \`${name}\` | ${cellOf(reason)} | ${cellOf(instead ?? '')} |`
  })
  return ['| Method | Why it is not served | Use instead |', '|---|---|---|', ...rows].join('\n')
}

/** Every message of direct access with its fields. */
function messageTable(): string {
  const messages: readonly (readonly [string, GatewayMessage])[] = Object.entries(gatewayMessages)
  const rows = messages.map(([name, { template, since, from, fields }]) => {
    return `| ${template} | ${name} | ${from} | ${since} | ${fields.map(fieldText).join(', ')} |`
  })
  return ['| Number | Message | From | Since | Fields |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** A field: its name, unit and first version, and its word if the name does not imply it. */
function fieldText({ name, unit, word, since, rows }: MessageField): string {
  const usual = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const reported = word === usual ? '' : word === null ? ' · omitted' : ` · \`${word}\``
  const parts = rows.length > 0 ? `: ${rows.map(fieldText).join(', ')}` : unit
  return `\`${name}\` (${parts}${since > 9 ? `, since ${since}` : ''})${reported}`
}
