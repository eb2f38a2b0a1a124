/**
 * The event log the slow, obvious way: a second implementation of the byte layout that `src/model/events/log/layout.ts`
 * describes, and of the digest over it.
 */
import { createHash } from 'node:crypto'
import { type Columns, columnOf, type Event, eventFamilies, isLogged, recordCodes } from '../../src/model/index.ts'

type Row = Readonly<Record<string, unknown>>

/** The parts of a record. */
interface Parts {
  readonly doubles: Buffer[]
  readonly ints: Buffer[]
  readonly codes: number[]
  readonly rest: Buffer[]
  bits: boolean[]
}

/** The log of events, computed from its description alone. */
export function naiveLog(events: readonly Event[]): Buffer {
  const records: Buffer[] = []
  let [time, cause, number] = [0, 0, 0]
  for (const event of events) {
    if (!isLogged(event.kind)) continue
    const place = [
      event.time === time ? null : event.time,
      event.cause === cause ? null : event.cause,
      event.number === number + 1 ? null : event.number,
    ]
    if (place.some((each) => each !== null)) {
      const body = place.filter((each) => each !== null).map(double)
      records.push(
        record(
          0,
          place.map((each) => each !== null),
          Buffer.concat(body),
        ),
      )
    }
    ;({ time, cause, number } = event)
    const parts: Parts = { doubles: [], ints: [], codes: [], rest: [], bits: [] }
    putRow(parts, eventFamilies[event.kind], { ...event }, false)
    const common = padded(Buffer.concat([...parts.doubles, ...parts.ints, Buffer.from(parts.codes)]))
    const body = Buffer.concat([common, ...parts.rest])
    records.push(record(recordCodes[event.kind] ?? 0, parts.bits, body))
  }
  return Buffer.concat(records)
}

/** The digest of a log, in hexadecimal. */
export function naiveLogDigest(log: Uint8Array): string {
  let hash = sha256(Buffer.from('pitclock event log 2\n', 'ascii'))
  for (let from = 0; from < log.length; from += 65_536) {
    hash = sha256(Buffer.concat([hash, log.subarray(from, from + 65_536)]))
  }
  return hash.toString('hex')
}

function putRow(parts: Parts, columns: Columns, row: Row | null, isBehind: boolean): void {
  for (const [name, declared] of Object.entries(columns)) {
    const { unit, columns: inner, absent } = columnOf(declared)
    const value = row === null ? undefined : row[name]
    if (inner !== null && !Array.isArray(absent)) {
      if (absent === null) parts.bits.push(value !== null && row !== null)
      putRow(parts, inner, (value ?? null) as Row | null, isBehind || absent === null)
      continue
    }
    const form = unit?.form ?? 'plain'
    if (typeof form !== 'string') {
      parts.codes.push(value === null || value === undefined ? 0 : form.indexOf(value as string) + 1)
      continue
    }
    if (form === 'flag') {
      parts.bits.push(value === true)
      continue
    }
    if (absent !== undefined) {
      const isThere = row !== null && sorted(value) !== sorted(absent)
      parts.bits.push(isThere)
      if (isThere) parts.rest.push(bytesOf(form, value))
    } else if (isBehind || form === 'text' || form === 'wide' || form === 'plain') {
      if (row !== null) parts.rest.push(bytesOf(form, value))
    } else if (form === 'int32') {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(value as number)
      parts.ints.push(bytes)
    } else {
      parts.doubles.push(bytesOf(form, value))
    }
  }
}

function bytesOf(form: string, value: unknown): Buffer {
  if (form === 'text') return text(value as string)
  if (form === 'wide') return text(String(value))
  if (form === 'plain') return text(sorted(value))
  if (form === 'int64') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value as bigint)
    return bytes
  }
  return double(value as number)
}

/** JSON with sorted keys; big integers, which plain data does not contain, as their digits. */
function sorted(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${sorted(each)}`).join(',')}}`
}

function record(code: number, bits: readonly boolean[], body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  const words = (8 + body.length) / 8
  head.writeUInt32LE(code + 256 * words, 0)
  head.writeUInt32LE(
    bits.reduce((sum, bit, at) => sum + (bit ? 2 ** at : 0), 0),
    4,
  )
  return Buffer.concat([head, body])
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value === 0 ? 0 : value)
  return bytes
}

function text(value: string): Buffer {
  const content = Buffer.from(value, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return padded(Buffer.concat([length, content]))
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)])
}

function sha256(bytes: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(bytes).digest())
}
