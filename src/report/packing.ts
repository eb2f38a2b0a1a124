/**
 * Packs the data of a report for its page: JSON, followed by the bytes of long columns. In the JSON each long column
 * refers to its bytes.
 *
 * A column of decimals is written as the differences of its scaled integers with 7 bits per byte, so that a line of
 * prices takes two bytes per point before gzip: 0 is NaN, other codes are 1 + the zigzag of the difference. A column
 * with values that are not decimals of up to 9 places is written as plain doubles. Layout: the length of the JSON in 4
 * bytes (little-endian), the JSON, the bytes.
 */
import type { Numbers } from './payload.ts'

/** The position of a column in the bytes. */
interface PackedNumbers {
  readonly $numbers: number
  readonly length: number
  readonly bytes: number
  /** Decimal places of the integers; -1 for plain doubles. */
  readonly places: number
}

const PLACES_MAX = 9
/** Scaled values above this are not exact in a double. */
const INTEGER_MAX = 2 ** 51

/** Packs a report to bytes. */
export function packed(report: object): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  const json = JSON.stringify(report, (_, value: unknown) => {
    if (!(value instanceof Float64Array)) return value
    const { bytes, places } = packNumbers(value)
    const place: PackedNumbers = {
      $numbers: at,
      length: value.length,
      bytes: bytes.length,
      places,
    }
    parts.push(bytes)
    at += bytes.length
    return place
  })
  const head = new TextEncoder().encode(json)
  const whole = new Uint8Array(4 + head.length + at)
  new DataView(whole.buffer).setUint32(0, head.length, true)
  whole.set(head, 4)
  let to = 4 + head.length
  for (const part of parts) {
    whole.set(part, to)
    to += part.length
  }
  return whole
}

/** Unpacks the bytes of a report. */
export function unpacked(whole: Uint8Array): unknown {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength)
  const length = view.getUint32(0, true)
  const text = new TextDecoder().decode(whole.subarray(4, 4 + length))
  const start = 4 + length
  return JSON.parse(text, (_, value: unknown) =>
    isPlace(value) ? unpackNumbers(whole.subarray(start + value.$numbers), value) : value,
  )
}

function isPlace(value: unknown): value is PackedNumbers {
  return typeof value === 'object' && value !== null && '$numbers' in value
}

function packNumbers(values: Numbers): { readonly bytes: Uint8Array; readonly places: number } {
  const places = placesOf(values)
  if (places < 0) {
    const copy = values.slice()
    return { bytes: new Uint8Array(copy.buffer), places }
  }
  const unit = 10 ** places
  const bytes = new Uint8Array(8 * values.length + 8)
  let at = 0
  let before = 0
  for (const value of values) {
    let word = 0
    if (!Number.isNaN(value)) {
      const scaled = Math.round(value * unit)
      const step = scaled - before
      before = scaled
      word = 1 + (step < 0 ? -2 * step - 1 : 2 * step)
    }
    while (word >= 128) {
      bytes[at] = (word % 128) + 128
      word = Math.floor(word / 128)
      at += 1
    }
    bytes[at] = word
    at += 1
  }
  return { bytes: bytes.slice(0, at), places }
}

/** The fewest decimal places that reproduce all values, or -1. */
function placesOf(values: Numbers): number {
  let places = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    while (places <= PLACES_MAX && Math.round(value * 10 ** places) / 10 ** places !== value) {
      places += 1
    }
    if (places > PLACES_MAX || Math.abs(value) * 10 ** places > INTEGER_MAX) return -1
  }
  // An earlier value may be too large for the decimal places of a later one.
  const most = INTEGER_MAX / 10 ** places
  return values.some((value) => Math.abs(value) > most) ? -1 : places
}

function unpackNumbers(bytes: Uint8Array, place: PackedNumbers): Numbers {
  const values = new Float64Array(place.length)
  if (place.places < 0) {
    new Uint8Array(values.buffer).set(bytes.subarray(0, place.bytes))
    return values
  }
  const unit = 10 ** place.places
  let at = 0
  let scaled = 0
  for (let row = 0; row < place.length; row += 1) {
    let word = 0
    for (let weight = 1; ; weight *= 128) {
      const byte = bytes[at] ?? 0
      at += 1
      word += (byte % 128) * weight
      if (byte < 128) break
    }
    if (word === 0) {
      values[row] = Number.NaN
      continue
    }
    const zigzag = word - 1
    scaled += zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2
    values[row] = scaled / unit
  }
  return values
}
