/**
 * The build of the program: one file with the code that each start needs, one for the library, and one each for the
 * server, Arrow and Parquet, which are loaded later. They include their packages, so that `pitclock` starts in a third
 * of the time of some 600 modules. Docstrings are removed, a fifth of the bytes of a start; lines and names stay, and
 * maps lead to the sources. jiti stays a package, because it looks for its files. pino and prom-client have a file
 * each, which only servers with logs and metrics load. The library is not bundled, so that a bundler of a user's
 * program can drop unused parts.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { licencesOf } from './licences.mjs'

/** The sources of the entry points by the names of the package, which strategies import. */
const { exports: entryPoints } = JSON.parse(readFileSync('package.json', 'utf8'))
const alias = Object.fromEntries(
  Object.entries(entryPoints).flatMap(([name, { default: file }]) => {
    if (file === undefined) return []
    const source = file.replace('./dist/', '../').replace(/\.js$/, '.ts')
    return [[`pitclock${name.slice(1)}$`, fileURLToPath(new URL(source, import.meta.url))]]
  }),
)

// The browser build of the package, which has no wrapper around each module. Only its messages differ: it reports
// invalid binary data itself, where our message would say that binary data is not accepted.
alias['yaml$'] = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url))

/** Writes a file with the licences of the bundled packages next to the program. */
const licences = {
  name: 'licences',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? [])
    const text = licencesOf(ids)
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: `${text}\n` })
  },
}

/**
 * Parts that are loaded later, each one file. A part includes all modules that it imports, except those of earlier
 * parts.
 */
const logging = /\/src\/server\/pino\.ts$/
const metrics = /\/src\/server\/prom-client\.ts$/
const serving = /\/(?:src\/server|node_modules\/(?:ws|node-gyp-build|bufferutil|utf-8-validate))\//
const later = /\/(?:src\/results\/(?:arrow\/|formats\/parquet)|src\/host\/.*(?:arrow|tape-)|node_modules\/hyparquet)/
const groups = [
  { name: 'pino', priority: 4, test: logging },
  { name: 'prom-client', priority: 4, test: metrics },
  { name: 'library', priority: 3, test: (id) => id.includes('/src/') && !later.test(id) && !serving.test(id) },
  { name: 'serving', priority: 2, test: serving },
  { name: 'parquet', priority: 2, test: /\/node_modules\/hyparquet|\/results\/formats\/parquet/ },
  { name: 'arrow', priority: 1, test: /\/(?:node_modules\/(?:apache-arrow|flatbuffers)|src)\// },
]

export default defineConfig({
  input: 'cli/pitclock.ts',
  platform: 'node',
  external: ['jiti'],
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
