/** Shell completion, and the output of `--debug`, in the built program. */
import { describe, expect, test } from 'vitest'
import { pitclock, shell } from '../support/built-program.ts'

/** The completions that a shell gets for a line. */
function completed(...line: readonly string[]): readonly string[] {
  const { out } = pitclock(['complete', '--', ...line])
  const words = out.split('\n').map((word) => word.split('\t')[0] ?? '')
  return words.filter((word) => word !== '' && !word.startsWith(':'))
}

describe('pitclock completion', () => {
  test.each([
    ['bash', 'bash -n'],
    ['zsh', 'cat'],
    ['fish', 'cat'],
  ])('prints a script of %s that asks the program', (name, check) => {
    const { code, out, err } = shell(`$PITCLOCK completion ${name} | ${check} && $PITCLOCK completion ${name}`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('pitclock complete --')
  })

  test('an unknown shell is refused with the known ones', () => {
    const { code, err } = pitclock(['completion', 'tcsh'])
    expect(code).toBe(2)
    expect(err).toContain('bash')
  })

  test('commands, options, words of options, files and folders are completed', () => {
    expect(completed('in')).toEqual(['inspect', 'init'])
    expect(completed('run', '--see')).toEqual(['--seed'])
    expect(completed('run', '--format', '')).toEqual(['arrow', 'parquet', 'csv', 'jsonl'])
    expect(completed('run', 'scen')).toEqual(['scenarios/'])
    expect(completed('run', 'scenarios/dig')).toEqual(['scenarios/digests.json'])
    expect(completed('run', '--out', 'scenarios/ord')).toEqual(['scenarios/orders/'])
    expect(completed('run', 'no-such-folder/x')).toEqual([])
  })

  test('its help has the form of the other commands', () => {
    expect(pitclock(['--help']).out).toContain('completion <shell>')
    const { out } = pitclock(['completion', '--help'])
    expect(out).toMatch(/^Examples:\n {2}source /)
    expect(out).toContain('Print a script that completes commands')
    expect(out).toContain('--debug')
    expect(out).toContain('the shell (choices: "zsh", "bash", "fish", "powershell")')
  })
})

describe('--debug', () => {
  const file = 'scenarios/orders/market-sell-fills-resting-bid.yaml'

  test('prints versions, options with their origin, and files, on stderr only', () => {
    const { code, out, err } = pitclock(['run', file, '--seed', '3', '--json', '--debug'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ version: 1 })
    expect(err).toMatch(/^debug: pitclock \d+\.\d+\.\d+, Node \d+/m)
    expect(err).toContain('debug: --seed is "3", from cli')
    expect(err).toMatch(new RegExp(`^debug: ${file} is /.*${file}$`, 'm'))
  })

  test('prints the place of a failure, which is hidden otherwise', () => {
    const place = /^debug: at .*runOne/m
    expect(pitclock(['run', 'none.yaml', '--debug']).err).toMatch(place)
    const plain = pitclock(['run', 'none.yaml']).err
    expect(plain).toBe('error: none.yaml: expected a readable file, found no such file\n')
  })

  test('is an option of every command', () => {
    for (const name of ['run', 'resume', 'serve', 'convert', 'inspect', 'schema', 'doctor']) {
      expect(pitclock([name, '--help']).out).toContain('--debug')
    }
  })
})
