/**
 * The version of this package, from its own manifest.
 */
import { readFileSync } from 'node:fs'

/** Written into every result: results change only with it. */
export function engineVersion(): string {
  // The manifest lies three folders above the source and four above the compiled file.
  for (const up of ['../../../package.json', '../../../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
        readonly name?: string
        readonly version?: string
      }
      if (manifest.name === 'pitclock' && manifest.version !== undefined) return manifest.version
    } catch {
      // The other place has it.
    }
  }
  throw new RangeError('the package has a manifest with its version')
}
