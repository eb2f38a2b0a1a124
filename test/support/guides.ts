/**
 * The guides: every README of the repository, and CONTRIBUTING. Parts of them are printed from declarations;
 * `npm run guides` writes those parts, `test/guides.test.ts` holds them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { type ColumnSchema, tableNames, tableSchemas } from '../../src/results/index.ts'
import { channelList, findMethod, type Method, methodNames } from '../../src/rpc/index.ts'
import { repository } from './repository.ts'

/** Every guide by its path in the repository. */
export const guides: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'cli/README.md', 'data/README.md', 'src/README.md'],
  ...['src/rpc/README.md', 'test/README.md', 'scenarios/README.md'],
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
  channels: channelTable,
}

/** A guide with its printed parts as the declarations have them. */
export function withPrinted(guide: string, text: string): string {
  return text.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const print = printers[name]
      if (print === undefined)
        throw new RangeError(`${guide} asks for ${name}, which nobody prints`)
      return `${begin}\n${print(dirname(guide))}\n\n${end}`
    },
  )
}

/** The scenarios of a folder with what they show. */
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
      const rows = columns.map(
        (column) => `| \`${column.name}\`${unitOf(column)} | ${cellOf(column.description)} |`,
      )
      return [`### ${name}.arrow`, '', '| Column | Meaning |', '|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** A unit, and whether a cell may be empty. */
function unitOf({ unit, nullable }: ColumnSchema): string {
  return `${unit === '' ? '' : ` (${unit})`}${nullable ? ' ?' : ''}`
}

/** Text that stands in a cell of a table. */
function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** The schema of a parameter, as far as a page tells it. */
interface ParamSchema {
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly ParamSchema[]
  readonly items?: ParamSchema
}

/** Every kind of channel. */
function channelTable(): string {
  const rows = channelList.map(({ forms, tells, first, fedBy }) => {
    const names = forms.map((form) => `\`${form}\``).join(', ')
    return `| ${names} | ${cellOf(tells)} | ${first ?? ''} | ${cellOf(fedBy)} |`
  })
  return ['| Channel | Tells | At first | Fed by |', '|---|---|---|---|', ...rows].join('\n')
}

/** Every method with its parameters. */
function methodTables(): string {
  return methodNames
    .map((name) => {
      const method = findMethod(name)
      if (method === undefined) throw new RangeError(`${name} is a method`)
      const shape = z.toJSONSchema(method.params, { io: 'input', unrepresentable: 'any' })
      const required = new Set([...(shape.required ?? []), ...Object.keys(method.requires ?? {})])
      const params = Object.entries((shape.properties ?? {}) as Record<string, ParamSchema>)
      const scope = scopeOf(method)
      const title = scope === '' ? `### ${name}` : `### ${name}\n\n${scope}`
      if (params.length === 0) return `${title}\n\nWithout parameters.`
      const rows = params.map(([param, schema]) => {
        const shown = required.has(param) ? `**${param}**` : param
        const words = wordsOf(schema)
        const listed = words.length === 0 ? '' : ` [${words.join(', ')}]`
        return `| ${shown} | ${cellOf(schema.description ?? '')}${listed} |`
      })
      return [title, '', '| Parameter | Meaning |', '|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

/** Who may ask, in a sentence; empty where the name says it. */
function scopeOf({ scope, mainAccount }: Method): string {
  if (scope === 'public' || scope === 'sim') return ''
  const asked = scope === 'any' ? 'any token' : `\`${scope}\``
  return `Scope: ${asked}${mainAccount === true ? ', of a main account' : ''}.`
}

/** The words that a parameter takes, where it takes words alone. */
function wordsOf(schema: ParamSchema): readonly string[] {
  const words = schema.enum ?? schema.items?.enum ?? schema.anyOf?.flatMap(wordsOf) ?? []
  return words.filter((word) => typeof word === 'string')
}
