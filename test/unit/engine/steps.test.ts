/**
 * The list of steps between an order and its book: its order, and the guide that prints it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admissionSteps, ways } from '../../../src/engine/market/index.ts'
import { validationStep } from '../../../src/model/index.ts'
import { repository } from '../../support/repository.ts'

/** The list as the guide has it. */
function printed(): string {
  const head = ['Step', 'Passes where', ...ways]
  const lines = [head, head.map(() => '---')]
  for (const { step, says, ways: taken, direct } of admissionSteps) {
    const marks = ways.map((way) => {
      if (way === 'direct') return direct === null ? '' : String(direct.place)
      return taken.includes(way) ? '×' : ''
    })
    lines.push([`${validationStep[step]} ${step}`, says, ...marks])
  }
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

test('order.validation the steps stand in the order of C07, each once', () => {
  const numbers = admissionSteps.map(({ step }) => validationStep[step])
  expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
  expect(numbers[0]).toBe(validationStep.bookState)
  expect(numbers.at(-1)).toBe(validationStep.speedBump)
  for (const way of ways) {
    if (way === 'direct') continue
    expect(admissionSteps.some((each) => each.ways.includes(way))).toBe(true)
  }
})

test('direct.check-order each step of direct access has a place of its own, without a gap', () => {
  const places = admissionSteps.flatMap(({ direct }) => (direct === null ? [] : [direct.place]))
  const sorted = places.sort((left, right) => left - right)
  expect(sorted).toEqual(sorted.map((_, at) => at + 1))
  expect(sorted.length).toBeGreaterThan(10)
})

test('order.validation the guide of orders prints the list', () => {
  const guide = readFileSync(join(repository, 'scenarios/orders/README.md'), 'utf8')
  expect(guide).toContain(printed())
})
