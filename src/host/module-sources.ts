/**
 * The files of a strategy module for the receipt of a run: the module and all that it imports.
 *
 * The search reads the texts of the files and runs no code. It follows files of the project and names them by their
 * path from the folder of the scenario. It lists a package once, with the SHA-256 of its manifest, which contains the
 * version. Known limit: the search does not see an import whose path is computed.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { sha256Hex } from './sha256.ts'

/** A file by its path (separated by `/`), or a package by its name. */
interface ModuleSource {
  readonly file: string
  readonly sha256: string
}

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*|\bimport\s*\(\s*|\brequire\s*\(\s*)(?:"([^"\n]+)"|'([^'\n]+)')/g
const OWN_PACKAGE = /^pitclock(?:\/|$)/
const EXTENSIONS = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json']
/** More files than any strategy has; further ones are left out. */
const FILES_MAX = 10_000

/** The sources of a module: first the module, then the others sorted by name. */
export function moduleSources(module: string, folder: string): readonly ModuleSource[] {
  const entry = resolve(folder, module)
  const found = new Map<string, ModuleSource>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || found.size >= FILES_MAX) continue
    const bytes = readFileSync(path)
    const file = relative(folder, path).replaceAll('\\', '/')
    found.set(path, { file, sha256: sha256Hex(bytes) })
    if (extname(path) === '.json') continue
    for (const [, double, single] of bytes.toString('utf8').matchAll(SPECIFIER)) {
      const specifier = double ?? single ?? ''
      if (/^\.{1,2}(?:\/|$)/.test(specifier) || specifier.startsWith('/')) {
        const imported = fileOf(resolve(dirname(path), specifier))
        if (imported !== null) open.push(imported)
      } else if (!isBuiltin(specifier) && !OWN_PACKAGE.test(specifier)) {
        const source = packageOf(specifier, dirname(path))
        if (source !== null) found.set(`package ${source.file}`, source)
      }
    }
  }
  const own = found.get(entry)
  const imported = [...found.values()].filter((source) => source !== own)
  imported.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
  return own === undefined ? imported : [own, ...imported]
}

/** The file that an import of a path refers to. Extensions may be omitted, and `.js` may mean `.ts`. */
function fileOf(path: string): string | null {
  const typed = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [
    path,
    typed,
    ...EXTENSIONS.map((extension) => path + extension),
    ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ]
  return candidates.find(isFile) ?? null
}

/** The manifest of an installed package; null if it is not found. */
function packageOf(specifier: string, from: string): ModuleSource | null {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest)) return { file: name, sha256: sha256Hex(readFileSync(manifest)) }
    if (dirname(folder) === folder) return null
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
