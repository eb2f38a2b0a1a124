/**
 * A container of named sections of bytes, each with its checksum: the file form of a snapshot.
 *
 * Layout, numbers little-endian: the magic text in ASCII, version (4 bytes), section count (4); then per section: name
 * length (1), name in ASCII, payload length (4), SHA-256 (32) over the checksum before it, name length, name, payload
 * length and payload, then the payload. The first section uses the checksum of the head. No bytes follow the last
 * section. Sections keep their order. Decoding detects every flipped bit, every cut and every section of another
 * container.
 *
 * Versions are not compatible: bytes of another version are a fault. Limits: names of 1 to 64 characters `a-z 0-9 _ -`,
 * payloads below 2^32 bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { assert } from '../assert.ts'
import { err, ok, type Result } from '../result.ts'

/** The position at which bytes differ from the expected container, and the reason. */
export interface SectionFault {
  /** The affected section; null for the head of the container or bytes after its end. */
  readonly section: string | null
  /** Offset in the whole container, from its first byte. */
  readonly offset: number
  readonly expected: string
  readonly found: string
}

const UINT32_MAX = 4_294_967_295
const CHECKSUM_BYTES = 32
const SECTION_NAME = /^[a-z0-9_-]{1,64}$/
const MAGIC = /^[\x20-\x7e]{1,64}$/

interface Section {
  readonly name: string
  readonly payload: Uint8Array
  readonly end: number
  readonly checksum: Uint8Array
}

/** Encodes `sections` in their order, under `magic` and `version` (from 0, 32 bits). */
export function encodeSections(magic: string, version: number, sections: ReadonlyMap<string, Uint8Array>): Uint8Array {
  assert(MAGIC.test(magic), `a magic text is short printable ASCII, found '${magic}'`)
  assert(Number.isInteger(version) && version >= 0 && version <= UINT32_MAX, 'a version has 32 bits')
  const top = joined([asciiBytes(magic), uint32Bytes(version), uint32Bytes(sections.size)])
  const parts = [top]
  let checksum: Uint8Array = sha256(top)
  for (const [name, payload] of sections) {
    assert(SECTION_NAME.test(name), `a section has a valid name, found '${name}'`)
    assert(payload.length <= UINT32_MAX, `section '${name}' is below 2^32 bytes`)
    const head = joined([Uint8Array.of(name.length), asciiBytes(name), uint32Bytes(payload.length)])
    checksum = checksumOf(checksum, head, payload)
    parts.push(head, checksum, payload)
  }
  return joined(parts)
}

/** Decodes the sections of a container as views into `bytes`, or returns the first fault. */
export function decodeSections(
  bytes: Uint8Array,
  magic: string,
  version: number,
): Result<Map<string, Uint8Array>, SectionFault> {
  const head = decodeHead(bytes, magic, version)
  if (!head.ok) return head
  const sections = new Map<string, Uint8Array>()
  let offset = magic.length + 8
  let checksum: Uint8Array = sha256(bytes.subarray(0, offset))
  for (let index = 0; index < head.value; index += 1) {
    const section = decodeSection(bytes, offset, index, checksum)
    if (!section.ok) return section
    const { name, payload, end } = section.value
    checksum = section.value.checksum
    sections.set(name, payload)
    offset = end
  }
  const left = bytes.length - offset
  if (left > 0) return fault(null, offset, 'the end of the container', `${left} more bytes`)
  return ok(sections)
}

/** Checks the head and returns the section count after it. */
function decodeHead(bytes: Uint8Array, magic: string, version: number): Result<number, SectionFault> {
  const found = asciiText(bytes.subarray(0, magic.length))
  if (found !== magic) return fault(null, 0, `magic '${magic}'`, `'${found}'`)
  const versionAt = magic.length
  if (bytes.length < versionAt + 8) return truncated(null, bytes, versionAt + 8)
  const foundVersion = uint32At(bytes, versionAt)
  if (foundVersion !== version) {
    return fault(null, versionAt, `version ${version}`, `version ${foundVersion}`)
  }
  return ok(uint32At(bytes, versionAt + 4))
}

function decodeSection(
  bytes: Uint8Array,
  start: number,
  index: number,
  before: Uint8Array,
): Result<Section, SectionFault> {
  const lengthAt = start + 1 + (bytes[start] ?? 0)
  const nameText = asciiText(bytes.subarray(start + 1, lengthAt))
  const hasName = start < bytes.length && SECTION_NAME.test(nameText)
  const name = hasName ? nameText : `#${index + 1}`
  const checksumAt = lengthAt + 4
  const payloadAt = checksumAt + CHECKSUM_BYTES
  if (bytes.length < payloadAt) return truncated(name, bytes, payloadAt)
  const end = payloadAt + uint32At(bytes, lengthAt)
  if (bytes.length < end) return truncated(name, bytes, end)
  const payload = bytes.subarray(payloadAt, end)
  const found = checksumOf(before, bytes.subarray(start, checksumAt), payload)
  const stored = bytes.subarray(checksumAt, payloadAt)
  if (hexText(found) !== hexText(stored)) {
    return fault(name, checksumAt, `checksum ${hexText(stored)}`, `checksum ${hexText(found)}`)
  }
  if (!hasName) return fault(name, start, 'a section name of a-z, 0-9, _ and -', `'${nameText}'`)
  return ok({ name, payload, end, checksum: found })
}

function truncated(section: string | null, bytes: Uint8Array, end: number): Result<never, SectionFault> {
  return fault(section, bytes.length, `bytes up to ${end}`, `truncated at byte ${bytes.length}`)
}

function fault(section: string | null, offset: number, expected: string, found: string): Result<never, SectionFault> {
  return err({ section, offset, expected, found })
}

function checksumOf(before: Uint8Array, head: Uint8Array, payload: Uint8Array): Uint8Array {
  return sha256.create().update(before).update(head).update(payload).digest()
}

function uint32At(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset, true)
}

function uint32Bytes(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)
}

function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Bytes as text, with '?' for those that are not printable ASCII. */
function asciiText(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '?'))
  return characters.join('')
}

function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
