/**
 * A step of the build: puts packages into the one file of the library that imports them.
 *
 * - `core/schema.js` has the part of zod that it exports. The package itself loads some eighty files, its sentences in
 *   fifty languages among them, each time that a program imports `pitclock`.
 * - `server/ws.js`, `server/pino.js` and `server/prom-client.js` have the packages of servers: sockets, logs and metrics.
 *   Users need not install them.
 *
 * These files have no source maps, which would be half as large again as the code.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licencesOf } from './licences.mjs'

/** Native add-ons that `ws` uses if a user installs them. */
const optional = ['bufferutil', 'utf-8-validate']

await bundle('core/schema.js', 'neutral')
await bundle('server/ws.js', 'node')
await bundle('server/pino.js', 'node')
await bundle('server/prom-client.js', 'node')

/** Replaces a file of the library by itself and all packages that it imports, with their licences on top. */
async function bundle(name, platform) {
  const file = fileURLToPath(new URL(`../dist/src/${name}`, import.meta.url))
  const build = await rolldown({ input: file, platform, external: optional, logLevel: 'warn' })
  const { output } = await build.generate({
    format: 'esm',
    dir: dirname(file),
    postBanner: ({ moduleIds }) => `/*!\n${licencesOf(moduleIds).replaceAll('*/', '* /')}\n*/`,
  })
  await build.close()
  const [{ code, imports }] = output
  const others = imports.filter((id) => !id.startsWith('node:') && !optional.includes(id))
  if (others.length > 0) throw new Error(`${name} imports ${others.join(', ')}`)
  writeFileSync(file, code)
  rmSync(`${file}.map`)
}
