/** The version of this package, from its manifest. This file does not load `core`: `import 'pitclock/node'` loads it. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ErrorCode } from '../../core/index.ts'

/**
 * Version of the engine, which every result records. Results change only with it.
 *
 * @throws RangeError with the code `DEFECT` if the package lacks its manifest.
 *
 * @example
 * console.log(/^\d+\.\d+\.\d+/.test(engineVersion())) // true
 */
export function engineVersion(): string {
  // The compiled forms of this file are at several depths of the package.
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path)) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
        readonly name?: string
        readonly version?: string
      }
      // In a bundle of another program, the nearest manifest belongs to that program.
      if (manifest.name === 'pitclock' && manifest.version !== undefined) return manifest.version
    }
    if (folder === dirname(folder)) {
      // This avoids loading `core`.
      const code: ErrorCode = 'DEFECT'
      throw Object.assign(new RangeError('the package has a manifest with its version'), { code })
    }
  }
}
