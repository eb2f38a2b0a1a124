/** Prints the entry points of the package and the names that each exports. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type EntryName, entryNames, homeOf } from './entry-names.ts'
import { entryPoints } from './entry-points.ts'
import { repository } from './repository.ts'

/** Every entry point, with its purpose and its page. */
export function entryTable(folder: string): string {
  const rows = entryPoints().map(({ name, source, page }) => {
    const link = `${relative(folder, page)}/README.md`
    return `| [\`${name}\`](${link}) | ${purposeOf(source)} |`
  })
  return ['| Import | For |', '|---|---|', ...rows].join('\n')
}

/** The docstring of a source file, without the name that it begins with. */
function purposeOf(source: string): string {
  const text = readFileSync(join(repository, source), 'utf8')
  const [, said = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? []
  const words = said.replaceAll(/\s*\n \* ?/g, ' ').trim()
  const [sentence = ''] = /^.*?\.(?= |$)/.exec(words) ?? []
  return cellOf(sentence.replace(/^`pitclock[^`]*`: /, ''))
}

/** The table of names of the entry point whose page is in a folder. */
export function nameTable(folder: string): string {
  const entry = entryPoints().find(({ page }) => page === folder)
  if (entry === undefined) throw new RangeError(`${folder} is the page of no entry point`)
  const all = entryNames()
  const names = all.get(entry.name) ?? []
  const own = names.filter(({ name }) => homeOf(all, name) === entry.name)
  const values = own.filter(({ kind }) => kind !== 'type')
  const types = own.filter(({ kind }) => kind === 'type')
  const others = names.filter((each) => !own.includes(each)).map(({ name }) => `\`${name}\``)
  const parts = [
    referenceText(folder, entry.name),
    tableOf('Function, class or constant', values),
    tableOf('Type', types),
  ]
  if (others.length > 0) parts.push(`Types of other entry points that these name: ${others.join(', ')}.`)
  return parts.join('\n\n')
}

/** The link to the page of an entry point. Names have no links: the package has no sources. */
function referenceText(folder: string, name: string): string {
  const page = relative(folder, `reference/${name}.md`)
  return [
    `[The reference of \`${name}\`](${page}) describes parameters and members.`,
    'The package contains it, and `npm run reference` writes it in a checkout.',
  ].join('\n')
}

function tableOf(title: string, names: readonly EntryName[]): string {
  const rows = names.map(({ name, says }) => `| \`${name}\` | ${cellOf(says)} |`)
  return [`| ${title} | Meaning |`, '|---|---|', ...rows].join('\n')
}

/** Escapes a text for a cell of a table. */
function cellOf(text: string): string {
  return text.replaceAll('|', '\\|')
}
