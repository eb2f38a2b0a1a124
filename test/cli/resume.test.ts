/**
 * `pitclock resume` as a user runs it: after `kill -9`, after Ctrl-C, after a full disk, and with wrong flags. It runs
 * the built program.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appears, begin, pitclock, scratch, shell } from '../support/built-program.ts'
import { sampleOf } from '../support/property-runs.ts'

const file = 'scenarios/backtest/market-maker.yaml'
const shorter = ['--set', 'until=2026-01-05T11:00:00Z']

function digestOf(text: string): string {
  return (JSON.parse(text) as { readonly runs: readonly { readonly digest: string }[] }).runs[0]?.digest as string
}

const uncut = digestOf(pitclock(['run', file, ...shorter, '--json']).out)

const interruptions: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'after it was killed; what nobody saved is done again',
    async () => {
      const out = join(scratch(), 'run')
      const run = begin(['run', file, ...shorter, '--out', out, '--save-every', '10m', '-q'])
      await appears(join(`${out}.partial`, 'saved', 'checkpoint'))
      run.child.kill('SIGKILL')
      await run.ended
      expect(existsSync(out)).toBe(false)
      const resumed = pitclock(['resume', out, '--json'])
      expect(resumed).toMatchObject({ code: 0, err: '' })
      expect(digestOf(resumed.out)).toBe(uncut)
      expect(readdirSync(join(out, '..'))).toEqual(['run'])
      expect(pitclock(['inspect', out]).code).toBe(0)
      expect(
        digestOf(pitclock(['run', join(out, 'journal.jsonl'), '--feeds', 'scenarios/backtest', '--json']).out),
      ).toBe(uncut)
    },
  ],
  [
    'after Ctrl-C, which says how',
    async () => {
      const out = join(scratch(), 'run')
      const run = begin(['run', file, ...shorter, '--out', out, '--save-every', '10m', '-q'])
      await appears(join(`${out}.partial`, 'saved', 'checkpoint'))
      run.child.kill('SIGINT')
      const { code, err } = await run.ended
      expect(code).toBe(130)
      expect(err).toContain(`to continue: pitclock resume ${out}`)
      // The closed files of the partial folder can be read meanwhile.
      expect(pitclock(['inspect', `${out}.partial`]).code).toBe(0)
      const resumed = pitclock(['resume', `${out}.partial`, '--json', '--report'])
      expect(digestOf(resumed.out)).toBe(uncut)
      expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<title>')
    },
  ],
  [
    'after a disk that was full',
    async () => {
      const out = join(scratch(), 'run')
      const args = `${file} ${shorter.join(' ')} --save-every 10m -q --out ${out}`
      const full = shell(`ulimit -f 800; $PITCLOCK run ${args}`)
      expect(full.code).toBe(4)
      expect(full.err).toContain('found a file at its maximum size')
      expect(full.err).toContain(`to continue from the last save: pitclock resume ${out}`)
      expect(digestOf(pitclock(['resume', out, '--json']).out)).toBe(uncut)
    },
  ],
]

describe('a run continues', () => {
  test.each(sampleOf(interruptions, 1))('%s', async (_, interrupt) => await interrupt())
})

describe('is refused', () => {
  test.each([
    [['--save-every', '1h'], '--save-every: expected --out with a folder for the saved run, found none'],
    [['--save-every', 'often', '--out', 'x'], '--save-every: expected a duration such as 1h, found often'],
    [['--save-every', '0s', '--out', 'x'], '--save-every: expected a duration such as 1h, found 0s'],
  ])('with the flags %j', (flags, words) => {
    const { code, err } = pitclock(['run', file, ...flags])
    expect(code).toBe(2)
    expect(err).toContain(words)
  })

  test('from stdin, and without a saved run', () => {
    const out = join(scratch(), 'run')
    const text = readFileSync('scenarios/orders/post-only-slides.yaml', 'utf8')
    const piped = pitclock(['run', '-', '--out', out, '--save-every', '1h'], { input: text })
    expect(piped.code).toBe(3)
    expect(piped.err).toContain('expected a file that can be read again, found stdin')
    const none = pitclock(['resume', out])
    expect(none.code).toBe(3)
    expect(none.err).toContain('expected the folder of a saved run (run --save-every), found none')
  })
})
