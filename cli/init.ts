/**
 * `pitclock init` writes a small project: a scenario, a backtest with its strategy, and a test.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { printJson, refuseInput } from './output.ts'
import { print } from './print.ts'

/** The folder with the files that are copied into a project. */
const template = fileURLToPath(new URL('../../template', import.meta.url))

/** Adds the command. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('Write a small project: a scenario, a backtest with its strategy, and a test.')
    .argument('[dir]', 'the folder of the project', '.')
    .option('--force', 'replace existing files')
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

async function init(dir: string, flags: { readonly force?: true; readonly json?: true }): Promise<void> {
  const { systemWords } = await import('../src/node.ts')
  const files = projectFiles(basename(resolve(dir)))
  try {
    mkdirSync(dir, { recursive: true })
    const there = new Set(readdirSync(dir))
    const known = [...files.keys()].filter((name) => there.has(name))
    if (known.length > 0 && flags.force !== true) {
      const words = { code: 'FILE' as const, expected: 'no file with this name', found: 'a file' }
      refuseInput({
        kind: 'io',
        lines: known.map((name) => `${join(dir, name)}: expected no file with this name, found a file`),
        errors: known.map((name) => ({ file: join(dir, name), ...words })),
        hint: 'nothing was written; --force replaces the existing files',
      })
      return
    }
    writeAll(dir, files)
  } catch (error) {
    const found =
      existsSync(dir) && !statSync(dir).isDirectory()
        ? 'a file'
        : error instanceof Error
          ? systemWords(error)
          : String(error)
    const words = { expected: 'a writable folder', found }
    const line = `${dir}: expected ${words.expected}, found ${words.found}`
    refuseInput({ kind: 'io', lines: [line], errors: [{ code: 'FILE', file: dir, ...words }] })
    return
  }
  if (flags.json === true) {
    printJson('init', { version: 1, dir, files: [...files.keys()] })
    return
  }
  const names = [...files.keys()].join(', ')
  const enter = dir === '.' ? '' : `cd ${dir} && `
  print(`${dir}: ${names}\nnext: ${enter}npm install && npm start && npm test\n`)
}

/** Writes all files under temporary names first, so that a failure leaves no file behind. */
function writeAll(dir: string, files: ReadonlyMap<string, string>): void {
  const partial = (name: string): string => join(dir, `${name}.partial`)
  try {
    for (const [name, text] of files) writeFileSync(partial(name), text)
    for (const name of files.keys()) renameSync(partial(name), join(dir, name))
  } catch (error) {
    for (const name of files.keys()) rmSync(partial(name), { force: true })
    throw error
  }
}

/**
 * The source from which npm can install this package, which is not published: the archive or folder from which it was
 * installed, otherwise its own folder.
 */
function installedFrom(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
  const modules = dirname(root)
  const lock = join(modules, '.package-lock.json')
  if (!existsSync(lock)) return `file:${root}`
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>
  }
  const source = packages[`node_modules/${basename(root)}`]?.resolved ?? ''
  if (source === '') return `file:${root}`
  return source.startsWith('file:') ? `file:${resolve(dirname(modules), source.slice(5))}` : source
}

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
    dependencies: { pitclock: installedFrom() },
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
