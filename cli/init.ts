/**
 * `pitclock init`: a small project that runs: a scenario, a backtest with its strategy, a test.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { printJson, refuse, version } from './output.ts'

/** The files of the project as they are. */
const template = fileURLToPath(new URL('../../template', import.meta.url))

/** Adds the command. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description(
      'Write a small project that runs: a scenario, a backtest with its strategy, a test.',
    )
    .argument('[dir]', 'the folder of the project', '.')
    .option('--force', 'replace files that are there')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock init my-market
  cd my-market && npm install && npm start
`,
    )
    .action(init)
}

function init(dir: string, flags: { readonly force?: true; readonly json?: true }): void {
  const files = projectFiles(basename(resolve(dir)))
  try {
    mkdirSync(dir, { recursive: true })
    const there = new Set(readdirSync(dir))
    const known = [...files.keys()].filter((name) => there.has(name))
    if (known.length > 0 && flags.force !== true) {
      const words = { code: 'FILE' as const, expected: 'no such file', found: 'one' }
      refuse({
        kind: 'io',
        lines: known.map((name) => `${join(dir, name)}: expected no such file, found one`),
        errors: known.map((name) => ({ file: join(dir, name), ...words })),
        hint: '--force replaces them; nothing was written',
      })
      return
    }
    for (const [name, text] of files) writeFileSync(join(dir, name), text)
  } catch (error) {
    const words = { expected: 'a folder that can be written', found: String(error) }
    const line = `${dir}: expected ${words.expected}, found ${words.found}`
    refuse({ kind: 'io', lines: [line], errors: [{ code: 'FILE', file: dir, ...words }] })
    return
  }
  if (flags.json === true) {
    printJson('init', { version: 1, dir, files: [...files.keys()] })
    return
  }
  const names = [...files.keys()].join(', ')
  const enter = dir === '.' ? '' : `cd ${dir} && `
  process.stdout.write(`${dir}: ${names}\nnext: ${enter}npm install && npm start && npm test\n`)
}

/** Every file of a project by its name. */
function projectFiles(folder: string): ReadonlyMap<string, string> {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const manifest = {
    name: name === '' ? 'market' : name,
    private: true,
    type: 'module',
    scripts: {
      start: 'pitclock run scenario.yaml && pitclock run backtest.yaml --out runs/first --force',
      test: 'vitest run',
    },
    dependencies: { pitclock: `^${version()}` },
    devDependencies: { 'fast-check': '^4', vitest: '^4' },
  }
  const copied = readdirSync(template).map((file): [string, string] => [
    file,
    readFileSync(join(template, file), 'utf8'),
  ])
  return new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['.gitignore', 'node_modules/\nruns/\n'],
    ...copied,
  ])
}
