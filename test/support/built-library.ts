/** The built library. It takes half the time of sources that the test runner translates. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from './repository.ts'

const file = join(repository, 'dist/src/node.js')
if (!existsSync(file)) throw new Error('expected the built library: npm run build')

/** `pitclock/node`. */
export type BuiltLibrary = typeof import('../../src/node.ts')

/** `pitclock/node` from the build. */
export const built = (await import(pathToFileURL(file).href)) as BuiltLibrary
