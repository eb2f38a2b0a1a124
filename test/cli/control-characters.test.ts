/** Titles of scenarios cannot control a terminal. It runs the built program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

test('C3 control characters of a title do not reach the terminal', () => {
  const text = readFileSync(join(repository, 'scenarios/orders/post-only-slides.yaml'), 'utf8')
  const file = join(scratch(), 'title.yaml')
  writeFileSync(file, text.replace(/^title: .*$/m, 'title: "red \\e[2J\\e]0;owned\\a end"'))
  const { code, out, err } = pitclock(['run', file])
  expect(code).toBe(0)
  expect(out).toContain('red [2J]0;owned end')
  expect([...out, ...err].filter((letter) => letter < ' ' && letter !== '\n')).toEqual([])
})
