/**
 * A step of the build: puts packages into the one file of the library that imports them.
 *
 * - `core/schema.js` has the part of zod that schemas are made of. By itself zod's core loads some eighty files, its
 *   sentences in fifty languages among them, each time that a program imports `pitclock`.
 * - `server/pino.js` and `server/prom-client.js` have what servers write logs and metrics with, so that who installs the
 *   library does not install their seventeen packages.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licencesOf } from './licences.mjs'

const zod = dirname(createRequire(import.meta.url).resolve('zod/package.json'))
const { version } = JSON.parse(readFileSync(join(zod, 'package.json'), 'utf8'))
const licence = readFileSync(join(zod, 'LICENSE'), 'utf8').trim()

await bundle('core/schema.js', 'neutral', () => `Parts of zod ${version} are in this file.\n\n${licence}`)
await bundle('server/pino.js', 'node', licencesOf)
await bundle('server/prom-client.js', 'node', licencesOf)

/** Replaces a file of the library by itself and all packages that it imports, with their licences on top. */
async function bundle(name, platform, noticeOf) {
  const file = fileURLToPath(new URL(`../dist/src/${name}`, import.meta.url))
  const build = await rolldown({ input: file, platform, logLevel: 'warn' })
  const { output } = await build.generate({
    format: 'esm',
    sourcemap: true,
    dir: dirname(file),
    postBanner: ({ moduleIds }) => `/*!\n${noticeOf(moduleIds).replaceAll('*/', '* /')}\n*/`,
  })
  await build.close()
  const [{ code, map, imports }] = output
  const others = imports.filter((id) => !id.startsWith('node:'))
  if (others.length > 0) throw new Error(`${name} imports ${others.join(', ')}`)
  writeFileSync(file, code)
  writeFileSync(`${file}.map`, JSON.stringify(map))
}
