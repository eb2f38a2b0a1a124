/**
 * The build of the program: one file for what each start needs, one for the library, one each for the server, Arrow and
 * Parquet, which are loaded later, packages included, so that `pitclock` starts in a third of the time that some 600
 * modules take. Docstrings are left out, a fifth of what a start would read; lines and names stay, and maps lead to the
 * sources. jiti stays a package: it looks for files of its own. So do pino and prom-client, which only servers load
 * that are asked for logs and metrics. The library is not bundled: who bundles a program with it takes what it uses.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

/** The sources of the entry points by the names of the package, which strategies import. */
const { exports: entryPoints } = JSON.parse(readFileSync('package.json', 'utf8'))
const alias = Object.fromEntries(
  Object.entries(entryPoints).flatMap(([name, { default: file }]) => {
    if (file === undefined) return []
    const source = file.replace('./dist/', '../').replace(/\.js$/, '.ts')
    return [[`pitclock${name.slice(1)}$`, fileURLToPath(new URL(source, import.meta.url))]]
  }),
)

// Its build for browsers, which has no wrapper around each module. It differs in words alone: it tells itself of binary
// data that are none, where we would tell that none are taken.
alias['yaml$'] = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url))

/** The folder of the package that a module belongs to, or null for our own. */
function packageOf(id) {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)
  return found === null ? null : found[0]
}

/** The licence of a package, as its authors want it to go along, with the notices in its modules. */
function licenceOf(folder, modules) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const notices = new Set(modules.flatMap(noticesIn))
  return [`${name} ${version} (${license})`, ...texts, ...notices].join('\n\n')
}

/** The comments of a module that say whose it is. */
function noticesIn(file) {
  const comments = readFileSync(file, 'utf8').matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm)
  return [...comments].map(([text]) => text.trim()).filter((text) => /copyright/i.test(text))
}

/** Writes the licences of the packages that went into the program beside it. */
const licences = {
  name: 'licences',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? [])
    const folders = new Set(ids.map(packageOf).filter((folder) => folder !== null))
    const texts = [...folders].sort().map((folder) => {
      const modules = ids.filter((id) => packageOf(id) === folder && existsSync(id))
      return licenceOf(folder, modules)
    })
    const text = texts.join(`\n\n${'-'.repeat(80)}\n\n`)
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: `${text}\n` })
  },
}

/** Parts that are loaded later, each one file; a part takes along what its modules import, unless an earlier part has it. */
const serving = /\/(?:src\/server|node_modules\/(?:ws|node-gyp-build|bufferutil|utf-8-validate))\//
const later = /\/(?:src\/results\/(?:arrow\/|formats\/parquet)|src\/host\/.*(?:arrow|tape-)|node_modules\/hyparquet)/
const groups = [
  { name: 'library', priority: 3, test: (id) => id.includes('/src/') && !later.test(id) && !serving.test(id) },
  { name: 'serving', priority: 2, test: serving },
  { name: 'parquet', priority: 2, test: /\/node_modules\/hyparquet|\/results\/formats\/parquet/ },
  { name: 'arrow', priority: 1, test: /\/(?:node_modules\/(?:apache-arrow|flatbuffers)|src)\// },
]

export default defineConfig({
  input: 'cli/pitclock.ts',
  platform: 'node',
  external: ['jiti', 'pino', 'prom-client'],
  resolve: { alias },
  output: {
    ...{ dir: 'dist/cli', format: 'esm', sourcemap: true, chunkFileNames: '[name].js' },
    codeSplitting: { groups },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
  plugins: [licences],
  // The library loads each of its parts by itself; here they are one.
  checks: { ineffectiveDynamicImport: false },
})
