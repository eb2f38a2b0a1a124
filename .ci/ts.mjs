/**
 * `node .ci/ts.mjs FILE [ARGUMENT ...]` runs a TypeScript program of the repository. It bundles the program with the
 * sources that it imports, which takes a second; compiling some 900 files one by one takes half a minute.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const [, , file] = process.argv
if (file === undefined) throw new Error('expected the path of a TypeScript program, found no argument')

// Inside the repository, where packages are found, but not in `node_modules`, which may be a link to that of another checkout.
const folder = join(import.meta.dirname, `../dist-test/program-${process.pid}`)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const build = await rolldown({
  input: resolve(file),
  platform: 'node',
  logLevel: 'warn',
  external: (id) => !/^(?:[./]|pitclock)/.test(id),
})
await build.write({ dir: folder, format: 'esm', entryFileNames: 'main.js', sourcemap: true })
await build.close()
process.argv.splice(1, 1)
await import(pathToFileURL(join(folder, 'main.js')).href)
