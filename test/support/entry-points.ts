/**
 * The entry points of the package, as `package.json` declares them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './repository.ts'

/** An entry point: the name that programs import, its source, and the built files. */
export interface EntryPoint {
  readonly name: string
  readonly source: string
  readonly built: string
  readonly declarations: string
  /** The folder whose README is its page. */
  readonly page: string
}

/** The folder with the subject and the page of an entry point. */
const pages: Readonly<Record<string, string>> = {
  pitclock: 'src/program',
  'pitclock/engine': 'src/engine',
  'pitclock/feeds': 'src/feeds',
  'pitclock/wire': 'src/rpc/wire',
  'pitclock/node': 'src/host',
  'pitclock/testing': 'src/testing',
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}

/** All entry points, `pitclock` first. */
export function entryPoints(): readonly EntryPoint[] {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Manifest
  return Object.entries(manifest.exports).flatMap(([path, found]) => {
    if (typeof found === 'string') return []
    const source = found.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')
    const name = `pitclock${path.slice(1)}`
    const page = pages[name]
    if (page === undefined) throw new RangeError(`${name} has no page`)
    const built = found.default.slice(2)
    return [{ name, source, built, declarations: found.types.slice(2), page }]
  })
}

/** The pages of the reference, which `npm run reference` and `npm pack` write. A checkout need not have them. */
export function referencePages(): readonly string[] {
  return ['reference/README.md', ...entryPoints().map(({ name }) => `reference/${name}.md`)]
}
