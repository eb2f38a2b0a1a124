/**
 * Formats of recorded text: each has a distinct header, gives the kind of its rows, and is listed for users.
 */
import { Command } from 'commander'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { addFeedFlags } from '../../../cli/feeds/feed-flags.ts'
import { mappingOf } from '../../../src/feeds/format.ts'
import {
  describedFormat,
  feedFormats,
  formatOfHeader,
  headerOf,
  kindOfText,
  needsColumns,
  type PublishedFormat,
  publishedFormats,
  type TextFormat,
  textFormats,
} from '../../../src/feeds/index.ts'

describe('every format of text', () => {
  test('either publishes a distinct header or has its columns described', () => {
    const headers = publishedFormats.map((format) => headerOf(format)?.join(','))
    expect(new Set(headers).size).toBe(publishedFormats.length)
    for (const format of textFormats) {
      expect(needsColumns(format)).toBe(headerOf(format) === null)
      const header = headerOf(format)
      if (header !== null) expect(formatOfHeader(`\uFEFF${header.join(',')}\r`)).toBe(format)
    }
    expect(formatOfHeader('exchange,symbol')).toBeUndefined()
    expect(needsColumns(describedFormat)).toBe(true)
    expect(needsColumns('tape')).toBe(false)
  })

  test('maps columns of its header, including a time and a price', () => {
    for (const format of publishedFormats) {
      const { columns } = mappingOf({ format, columns: null })
      expect(headerOf(format)).toEqual(expect.arrayContaining(columns.map(([, name]) => name)))
      expect(columns.map(([role]) => role)).toEqual(expect.arrayContaining(['time', 'price']))
    }
  })

  test('says what its rows are, by its publication or by the description', () => {
    for (const format of publishedFormats) {
      const { kind } = mappingOf({ format, columns: null })
      expect(kindOfText(format, { kind: kind === 'book' ? 'trades' : 'book' })).toBe(kind)
    }
    expect(kindOfText('csv', { kind: 'book' })).toBe('book')
    expect(kindOfText('csv', null)).toBeUndefined()
    expect(kindOfText('csv', { kind: 'bok' })).toBeUndefined()
  })

  test('is named by the flag that takes it', () => {
    const help = addFeedFlags(new Command()).options.find(({ long }) => long === '--format')
    for (const format of textFormats) expect(help?.description).toContain(format)
    expect(feedFormats).toEqual([...textFormats, 'tape'])
  })

  test('has its word as its key alone', () => {
    expectTypeOf<PublishedFormat>().toExtend<TextFormat>()
    expectTypeOf<Exclude<TextFormat, PublishedFormat>>().toEqualTypeOf<'csv'>()
    expectTypeOf<'unheard_of'>().not.toExtend<TextFormat>()
  })
})
