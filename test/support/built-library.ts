/**
 * The library as it was built: half as long runs as from sources that the test runner translates.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from './repository.ts'

const path = pathToFileURL(join(repository, 'dist/src/node.js')).href

/** `pitclock/node`, built. */
export const built = (await import(path)) as typeof import('../../src/node.ts')
