/**
 * The build of the program: one file of our own sources and one for each part that is loaded later, so that
 * `pitclock` starts in half the time that some 500 modules take. Packages stay what they are. The library is
 * not bundled: who bundles a program with it takes what it uses.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

/** A source, as the bundler wants it. */
const source = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

export default defineConfig({
  input: 'cli/pitclock.ts',
  platform: 'node',
  external: (id) => !/^(?:[./]|pitclock)/.test(id),
  resolve: { alias: { 'pitclock/node': source('node.ts'), pitclock: source('index.ts') } },
  output: { dir: 'dist/cli', format: 'esm', sourcemap: true, chunkFileNames: '[name].js' },
})
