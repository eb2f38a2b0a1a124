/**
 * The guides are correct: their scenarios and programs run, their commands, options, files and links exist, and their
 * generated parts match the declarations.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pitclock } from './support/built-program.ts'
import { entryPoints, referencePages } from './support/entry-points.ts'
import { guides, guideText, scenarioFolders, withPrinted } from './support/guides.ts'
import { sampleOf } from './support/property-runs.ts'
import { repository } from './support/repository.ts'
import { serve } from './support/served-program.ts'

/** The guide with one strategy in several tools. */
const comingFrom = 'src/program/coming-from.md'

/** The code blocks of a guide that follow marker comments of one kind. */
function blocksAfter(guide: string, marker: string): readonly string[] {
  return guideText(guide)
    .split(marker)
    .slice(1)
    .map((rest) => /```\w+\n([\s\S]*?)```/.exec(rest)?.[1] ?? '')
}

/** The code block of a guide that follows its only marker comment of one kind. */
function blockAfter(guide: string, marker: string): string {
  const [block = '', ...others] = blocksAfter(guide, marker)
  expect(block, `${guide} has a block marked ${marker}`).not.toBe('')
  expect(others).toEqual([])
  return block
}

/** A new folder for the output of an example. */
function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pitclock-guide-'))
}

test('the README has at most 180 lines', () => {
  expect(guideText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(180)
})

test('pictures in guides have at most 150 kB', () => {
  const pictures = guides.flatMap((guide) =>
    [...guideText(guide).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) =>
      join(repository, dirname(guide), path),
    ),
  )
  expect(pictures.length).toBeGreaterThan(0)
  for (const picture of pictures) expect(statSync(picture).size, picture).toBeLessThan(150_000)
})

test('the library example has at most 12 lines of code and prints its number', () => {
  const code = blockAfter('README.md', '<!-- library')
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  // Inside the package, so that it imports `pitclock` by name like a user.
  const file = join(repository, 'dist', 'guide-example.mjs')
  writeFileSync(file, code)
  const done = spawnSync(process.execPath, [file], { cwd: newFolder(), encoding: 'utf8' })
  rmSync(file)
  expect(done.stderr).toBe('')
  expect(done.stdout).toBe('60010\n')
})

/**
 * The output of a guide's client that trades with a server. It runs inside the repository, where it finds its packages.
 * With a stepped clock the market stops after a minute, however slow the client is.
 */
async function outputOfClient(code: string, clock: 'scaled:10' | 'stepped'): Promise<string> {
  const server = await serve(['scenarios/server/two-sided-market.yaml', '--clock', clock])
  if (clock === 'stepped') {
    const to = Date.parse(server.ready.time) + 60_000
    const headers = { Authorization: `Basic ${btoa('sim:sim-secret')}` }
    const moved = await fetch(`${server.ready.url}/sim/advance?to=${to}`, { headers })
    expect(moved.status).toBe(200)
  }
  const file = join(repository, 'dist', 'guide-client.mjs')
  writeFileSync(file, code.replaceAll(':8420', `:${server.ready.port}`))
  const client = spawn(process.execPath, [file], { cwd: repository })
  let said = ''
  for (const stream of [client.stdout, client.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  }
  await new Promise((resolve) => client.on('close', resolve))
  rmSync(file)
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
  return said
}

test('the client of the guide of servers trades', async () => {
  const code = blockAfter('scenarios/server/README.md', '<!-- javascript')
  expect(await outputOfClient(code, 'scaled:10')).toMatch(/^best bid [\d.]+\nclosed for [\d.]+\nlong 100\n$/)
})

test('the WebSocket client of the guide of servers trades', async () => {
  const code = blockAfter('scenarios/server/README.md', '<!-- websocket')
  expect(await outputOfClient(code, 'stepped')).toMatch(/^(?:best bid [\d.]+\n)+filled at [\d.]+\n/)
})

const makers = blocksAfter(comingFrom, '<!-- client')

test.each(sampleOf(makers, 1))('a maker with a client of another tool quotes both sides: %#', async (code) => {
  expect(makers).toHaveLength(2)
  expect(await outputOfClient(code, 'stepped')).toBe('buy open\nsell open\n'.repeat(3))
})

const programs = guides.flatMap((guide) => blocksAfter(guide, '<!-- program -->').map((block) => ({ guide, block })))

test('each entry point has a program on its page, and the property kit has six', () => {
  for (const { page } of entryPoints()) {
    const own = programs.filter(({ guide }) => guide === `${page}/README.md`)
    expect(own).toHaveLength(page === 'src/testing' ? 6 : 1)
  }
})

test.each(sampleOf(programs, 2))('the program of $guide prints the output in its comments', ({ block }) => {
  const said = [...block.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, line = '']) => line)
  expect(said.length).toBeGreaterThan(0)
  // Inside the package, so that it imports `pitclock` by name like a user.
  const file = join(repository, 'dist', 'guide-program.mjs')
  writeFileSync(file, block)
  const done = spawnSync(process.execPath, [file], { cwd: newFolder(), encoding: 'utf8' })
  rmSync(file)
  expect(done.stderr).toBe('')
  expect(done.stdout).toBe(said.map((line) => `${line}\n`).join(''))
})

const scenarios = guides.flatMap((guide) => blocksAfter(guide, '<!-- scenario').map((block) => ({ guide, block })))

test('there are scenarios in the guides', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(8)
})

test.each(sampleOf(scenarios, 4))('a scenario of $guide holds: %#', ({ block }) => {
  const file = join(newFolder(), 'guide.yaml')
  writeFileSync(file, block)
  expect(pitclock(['run', file])).toMatchObject({ code: 0, err: '' })
})

test.each(['README.md', 'scenarios/backtest/README.md', comingFrom])(
  'the backtest of %s fills, with its strategy',
  (guide) => {
    const home = newFolder()
    const file = join(home, 'backtest.yaml')
    const block = blockAfter(guide, '<!-- backtest')
    writeFileSync(file, block.replaceAll('data/', `${join(repository, 'data')}/`))
    writeFileSync(join(home, 'quotes.ts'), blockAfter(guide, '<!-- strategy'))
    const { out, err } = pitclock(['run', file, '--json'])
    expect(err).toBe('')
    const { runs } = JSON.parse(out) as { readonly runs: readonly { trades: number }[] }
    expect(runs[0]?.trades).toBeGreaterThan(10)
  },
)

test('the README shows the same lines of a run as the run prints', () => {
  const shown = /\$ (npx pitclock run scenarios\/orders\/\S+)\n([\s\S]*?) {2}…\n/.exec(guideText('README.md'))
  const [, command = '', lines = ''] = shown ?? []
  const { out } = pitclock(command.split(' ').slice(2).map(inRepository))
  const printed = new Set(out.split('\n'))
  for (const line of lines.trimEnd().split('\n')) expect(printed).toContain(line)
})

function inRepository(word: string): string {
  return word.includes('/') ? join(repository, word) : word
}

test('every option that a guide names of pitclock is one', () => {
  const commands = [
    'run',
    'resume',
    'convert',
    'inspect',
    'diff',
    'compare',
    'schema',
    'init',
    'serve',
    'report',
    'explain',
    'shrink',
    'fuzz',
    'export',
    'doctor',
  ]
  const help = commands.map((command) => pitclock([command, '--help']).out).join('')
  const named = [
    ...['README.md', 'cli/README.md', 'data/README.md', 'scenarios/backtest/README.md'],
    'scenarios/server/README.md',
  ]
    .flatMap((guide) => [...guideText(guide).matchAll(/`(--[a-z-]+)/g)])
    .map(([, option = '']) => option)
  expect(named.length).toBeGreaterThan(10)
  for (const option of named) expect(help).toContain(option)
})

test('every file that a command of a guide names exists', () => {
  const commands = guides.flatMap((guide) => [
    ...guideText(guide).matchAll(/npx pitclock (\w+) ((?:scenarios|data)\/[\w./-]*)/g),
  ])
  expect(commands.length).toBeGreaterThan(10)
  for (const [line, , file = ''] of commands) {
    expect(existsSync(join(repository, file)), line).toBe(true)
  }
})

describe.each(guides)('%s', (guide) => {
  const text = guideText(guide)

  test('every link leads somewhere', () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = '', anchor = ''] = target.split('#')
      const file = path === '' ? guide : join(dirname(guide), path)
      if (referencePages().includes(file)) continue
      expect(existsSync(join(repository, file)), `${guide} -> ${target}`).toBe(true)
      if (anchor === '') continue
      expect(anchorsOf(file), `${guide} -> ${target}`).toContain(anchor)
    }
  })

  test('the generated parts match the declarations (npm run guides)', () => {
    expect(withPrinted(guide, text)).toBe(text)
  })
})

/** The anchors of the headings of a guide, as hosts of repositories make them. */
function anchorsOf(guide: string): readonly string[] {
  return [...readFileSync(join(repository, guide), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s/-]/g, '')
      .replaceAll('/', '')
      .replaceAll(' ', '-'),
  )
}

test('every folder of scenarios has a guide that lists its files', () => {
  for (const folder of scenarioFolders()) {
    expect(guideText(`scenarios/${folder}/README.md`)).toContain('<!-- generated: files -->')
  }
})
