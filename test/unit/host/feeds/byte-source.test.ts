/**
 * Files that are read one chunk ahead: the same bytes, however many there are and however slowly they are taken, and
 * none after the reader is closed.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOfFile, openByteSource } from '../../../../src/host/feeds/byte-source.ts'

const CHUNK_BYTES = 1 << 20
let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-bytes-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** All bytes of a file, each chunk taken after a wait; a chunk stays valid until the next is requested. */
async function bytesOf(path: string, coding: 'plain' | 'gzip', waits: boolean): Promise<Buffer> {
  const source = openByteSource(path, coding)
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = await source.next()
    if (!chunk.ok) throw new Error(JSON.stringify(chunk.error))
    if (chunk.value === null) break
    const first = createHash('sha256').update(chunk.value).digest('hex')
    if (waits) await setTimeout(5)
    expect(createHash('sha256').update(chunk.value).digest('hex')).toBe(first)
    chunks.push(Buffer.from(chunk.value))
  }
  expect(await source.next()).toEqual({ ok: true, value: null })
  return Buffer.concat(chunks)
}

/** Numbers of bytes, most of them at the edges of chunks. */
const lengths = fc.oneof(
  fc.integer({ min: 0, max: 3 * CHUNK_BYTES }),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -1, max: 1 }))
    .map(([chunks, more]) => Math.max(0, chunks * CHUNK_BYTES + more)),
)

test('reading ahead changes no byte, plain or packed, however slowly it is taken', async () => {
  const all = randomBytes(3 * CHUNK_BYTES + 1)
  const path = join(home, 'bytes')
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), fc.boolean(), async (length, packed, waits) => {
      const bytes = all.subarray(0, length)
      writeFileSync(path, packed ? gzipSync(bytes, { level: 1 }) : bytes)
      const read = await bytesOf(path, packed ? 'gzip' : 'plain', waits)
      expect(read.equals(bytes)).toBe(true)
      if (packed) return
      const value = createHash('sha256').update(bytes).digest('hex')
      expect(await hashOfFile(path)).toEqual({ ok: true, value })
    }),
    { numRuns: 30 },
  )
})

describe('a file', () => {
  test('that is closed during a read gives nothing more', async () => {
    const path = join(home, 'let-go')
    writeFileSync(path, randomBytes(4 * CHUNK_BYTES))
    const source = openByteSource(path, 'plain')
    expect(await source.next()).toMatchObject({ ok: true })
    await source.close()
    await source.close()
    expect(await source.next()).toEqual({ ok: true, value: null })
  })

  test('that does not exist, or is a folder, is reported when it is requested', async () => {
    for (const [path, found] of [
      [join(home, 'nowhere'), 'no such file'],
      [home, 'a folder'],
    ] as const) {
      const source = openByteSource(path, 'plain')
      expect(await source.next()).toMatchObject({ error: { kind: 'io', error: { found } } })
      expect(await source.next()).toEqual({ ok: true, value: null })
    }
  })

  test('whose reading is interrupted has no hash', async () => {
    const path = join(home, 'interrupted')
    writeFileSync(path, randomBytes(2 * CHUNK_BYTES))
    const interrupted = (): boolean => true
    expect(await hashOfFile(path, { interrupted })).toMatchObject({ ok: false })
  })
})
