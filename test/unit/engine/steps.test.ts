/**
 * The lists of steps between a request and its book: their order, and the guide that prints them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admissionSteps, requestSteps, requestWays, ways } from '../../../src/engine/market/index.ts'
import { validationStep } from '../../../src/model/index.ts'
import { repository } from '../../support/repository.ts'

/** The list of steps that check a request, in the form of the guide. */
function printedRequests(): string {
  return table(
    requestWays,
    requestSteps.map(({ step, says, checks }) => [
      `${validationStep[step]} ${step}`,
      says,
      ...requestWays.map((way) => (checks[way] === undefined ? '' : '×')),
    ]),
  )
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = ['Step', 'Passes where', ...columns]
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The list of steps that check an order, in the form of the guide. */
function printedOrders(): string {
  const rows: string[][] = []
  for (const { step, says, ways: taken, direct } of admissionSteps) {
    const marks = ways.map((way) => {
      if (way === 'direct') return direct === null ? '' : String(direct.place)
      return taken.includes(way) ? '×' : ''
    })
    rows.push([`${validationStep[step]} ${step}`, says, ...marks])
  }
  return table(ways, rows)
}

test('order.validation the steps that check a request are in the order of C07, each once', () => {
  const numbers = requestSteps.map(({ step }) => validationStep[step])
  expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
  expect(numbers.slice(0, 3)).toEqual([5, 6, 7])
  for (const way of requestWays) {
    expect(requestSteps.filter(({ checks }) => checks[way] !== undefined).length).toBeGreaterThan(1)
  }
})

test('order.validation the steps are in the order of C07, each once', () => {
  const numbers = admissionSteps.map(({ step }) => validationStep[step])
  expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
  expect(numbers[0]).toBe(validationStep.bookState)
  expect(numbers.at(-1)).toBe(validationStep.speedBump)
  for (const way of ways) {
    if (way === 'direct') continue
    expect(admissionSteps.some((each) => each.ways.includes(way))).toBe(true)
  }
})

test('direct.check-order each step of direct access has a separate place, without a gap', () => {
  const places = admissionSteps.flatMap(({ direct }) => (direct === null ? [] : [direct.place]))
  const sorted = places.sort((left, right) => left - right)
  expect(sorted).toEqual(sorted.map((_, at) => at + 1))
  expect(sorted.length).toBeGreaterThan(10)
})

test('order.validation the guide of orders prints the lists', () => {
  const guide = readFileSync(join(repository, 'scenarios/orders/README.md'), 'utf8')
  expect(guide).toContain(printedRequests())
  expect(guide).toContain(printedOrders())
})
