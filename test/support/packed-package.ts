/** The package in the form that `npm pack` writes. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { scratch } from './built-program.ts'
import { repository } from './repository.ts'

/** A packed package. */
export interface Packed {
  readonly tarball: string
  /** Paths of its files, relative to the repository. */
  readonly paths: readonly string[]
}

let packed: Packed | null = null

/** Packs the package once for all tests of a worker, because it takes ten seconds. */
export function packedPackage(): Packed {
  if (packed !== null) return packed
  const home = scratch()
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  const { status, stdout, stderr } = spawnSync('npm', args, {
    ...{ cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 },
  })
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr}`)
  const [{ filename, files }] = JSON.parse(stdout) as readonly [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ]
  packed = { tarball: join(home, filename), paths: files.map(({ path }) => path) }
  return packed
}
