/**
 * A step of the build: puts the part of zod that schemas are made of (`core/schema.ts`) into their file. By itself zod's
 * core loads some eighty files, its sentences in fifty languages among them, each time that a program imports `pitclock`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const file = fileURLToPath(new URL('../dist/src/core/schema.js', import.meta.url))
const zod = dirname(createRequire(import.meta.url).resolve('zod/package.json'))
const { version } = JSON.parse(readFileSync(join(zod, 'package.json'), 'utf8'))
const licence = readFileSync(join(zod, 'LICENSE'), 'utf8').trim()

const build = await rolldown({ input: file, platform: 'neutral', logLevel: 'warn' })
const { output } = await build.generate({
  format: 'esm',
  sourcemap: true,
  dir: dirname(file),
  postBanner: `/*!\nParts of zod ${version} are in this file.\n\n${licence}\n*/`,
})
await build.close()
const [{ code, map, imports }] = output
if (imports.length > 0) throw new Error(`schemas import ${imports.join(', ')}`)
writeFileSync(file, code)
writeFileSync(`${file}.map`, JSON.stringify(map))
