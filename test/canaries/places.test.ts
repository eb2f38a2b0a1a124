import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../support/repository.ts'
import { defects, planted } from './defects.ts'

describe('planted defects (run: npm run canaries)', () => {
  test.each(defects)('$id has its place in the sources, and a test', (defect) => {
    expect(planted(defect).includes(defect.by)).toBe(true)
    expect(existsSync(join(repository, defect.test))).toBe(true)
  })

  test('there are 60, each with its own id', () => {
    expect(new Set(defects.map(({ id }) => id)).size).toBe(60)
    expect(defects.length).toBe(60)
  })

  test('a place that is gone, or occurs twice, is named', () => {
    const [first] = defects
    if (first === undefined) throw new Error('expected a defect')
    expect(() => planted({ ...first, part: 'no such text' })).toThrow(`${first.file}: expected this text once`)
    expect(() => planted({ ...first, part: 'const ' })).toThrow(RangeError)
  })
})
