/**
 * The version of this package, from its own manifest.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Written into every result: results change only with it. */
export function engineVersion(): string {
  const manifest = JSON.parse(readFileSync(manifestAbove(import.meta.dirname), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}

/** The nearest manifest above: this file is compiled to more than one place of the package. */
function manifestAbove(folder: string): string {
  const path = join(folder, 'package.json')
  return existsSync(path) ? path : manifestAbove(dirname(folder))
}
