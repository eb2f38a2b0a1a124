/**
 * The shapes of option combos: for each code of a name, the number and order of its dates and strikes, and the legs
 * that they make. The future spread `FS` is not here, because it has no strikes.
 *
 * The first leg is a long one, unless the venue's own order of legs says otherwise. Legs refer to the dates and strikes
 * by their place in the name, from 0. Two dates are written far_near.
 *
 * Source: market.md 1.1, the list of combo codes and the choice below it (PS names the higher strike first, all other
 * lists of strikes ascend).
 * Assumed: the strikes of diagonals belong to the dates in the order of the name and may have either order, because
 * ascending strikes would leave half of all diagonals without a name.
 * Assumed: put ladders and put ratio spreads ascend too, as the text says literally.
 * Assumed: jelly roll = far call - far put - near call + near put, on one strike; straddle calendars are long the far
 * straddle. No public sample of these was found.
 */
import { defined, type Micros, type Price9 } from '../../../core/index.ts'
import type { OptionRight } from '../../words/instruments.ts'

/** A leg in terms of the dates and strikes that a combo's name lists. */
interface LegShape {
  readonly right: OptionRight
  readonly ratio: number
  /** Place of its strike in the name. */
  readonly strikeAt: number
  /** Place of its date in the name: 0 is the only or the far one, 1 the near one. */
  readonly dateAt: number
}

/** The list in the name of an option combo of one code, and the legs that it stands for. */
export interface ComboShape {
  readonly dateCount: 1 | 2
  readonly strikeCount: number
  readonly strikeOrder: 'ascending' | 'descending' | 'distinct'
  readonly legs: readonly LegShape[]
}

const shapes = {
  CS: oneDate(2, [call(1, 0), call(-1, 1)]),
  PS: { ...oneDate(2, [put(1, 0), put(-1, 1)]), strikeOrder: 'descending' },
  STRD: oneDate(1, [call(1, 0), put(1, 0)]),
  STRG: oneDate(2, [put(1, 0), call(1, 1)]),
  GUTS: oneDate(2, [call(1, 0), put(1, 1)]),
  RR: oneDate(2, [put(1, 0), call(-1, 1)]),
  REV: oneDate(1, [call(1, 0), put(-1, 0)]),
  CBUT: oneDate(3, [call(1, 0), call(-2, 1), call(1, 2)]),
  PBUT: oneDate(3, [put(1, 0), put(-2, 1), put(1, 2)]),
  CBUT111: oneDate(3, [call(1, 0), call(-1, 1), call(1, 2)]),
  PBUT111: oneDate(3, [put(1, 0), put(-1, 1), put(1, 2)]),
  CLAD: oneDate(3, [call(1, 0), call(-1, 1), call(-1, 2)]),
  PLAD: oneDate(3, [put(1, 0), put(-1, 1), put(-1, 2)]),
  IBUT: oneDate(3, [put(1, 0), put(-1, 1), call(-1, 1), call(1, 2)]),
  ICOND: oneDate(4, [put(1, 0), put(-1, 1), call(-1, 2), call(1, 3)]),
  CCOND: oneDate(4, [call(1, 0), call(-1, 1), call(-1, 2), call(1, 3)]),
  PCOND: oneDate(4, [put(1, 0), put(-1, 1), put(-1, 2), put(1, 3)]),
  BOX: oneDate(2, [call(1, 0), put(-1, 0), call(-1, 1), put(1, 1)]),
  CSR12: oneDate(2, [call(1, 0), call(-2, 1)]),
  CSR13: oneDate(2, [call(1, 0), call(-3, 1)]),
  CSR23: oneDate(2, [call(2, 0), call(-3, 1)]),
  PSR12: oneDate(2, [put(1, 0), put(-2, 1)]),
  PSR13: oneDate(2, [put(1, 0), put(-3, 1)]),
  PSR23: oneDate(2, [put(2, 0), put(-3, 1)]),
  CCAL: twoDates(1, [call(1, 0, 0), call(-1, 0, 1)]),
  PCAL: twoDates(1, [put(1, 0, 0), put(-1, 0, 1)]),
  CDIAG: twoDates(2, [call(1, 0, 0), call(-1, 1, 1)]),
  PDIAG: twoDates(2, [put(1, 0, 0), put(-1, 1, 1)]),
  STDC: twoDates(1, [call(1, 0, 0), put(1, 0, 0), call(-1, 0, 1), put(-1, 0, 1)]),
  DSTDC: twoDates(2, [call(1, 0, 0), put(1, 0, 0), call(-1, 1, 1), put(-1, 1, 1)]),
  JR: twoDates(1, [call(1, 0, 0), put(-1, 0, 0), call(-1, 0, 1), put(1, 0, 1)]),
} as const satisfies Readonly<Record<string, ComboShape>>

/** The code of an option combo in its name. */
export type OptionComboCode = keyof typeof shapes

/** All codes of option combos. */
export const optionComboCodes: readonly string[] = Object.keys(shapes)

/** True if the text is a code of an option combo. */
export function isOptionComboCode(text: string): text is OptionComboCode {
  return Object.hasOwn(shapes, text)
}

/** The shape of an option combo. */
export function comboShapeOf(code: OptionComboCode): ComboShape {
  return shapes[code]
}

function call(ratio: number, strikeAt: number, dateAt = 0): LegShape {
  return { right: 'call', ratio, strikeAt, dateAt }
}

function put(ratio: number, strikeAt: number, dateAt = 0): LegShape {
  return { right: 'put', ratio, strikeAt, dateAt }
}

function oneDate(strikeCount: number, legs: readonly LegShape[]): ComboShape {
  return { dateCount: 1, strikeCount, strikeOrder: 'ascending', legs }
}

function twoDates(strikeCount: number, legs: readonly LegShape[]): ComboShape {
  return { dateCount: 2, strikeCount, strikeOrder: 'distinct', legs }
}

/** True if the number and order of the dates fit this shape. */
export function areDatesOf(shape: ComboShape, dates: readonly Micros[]): boolean {
  const isFarFirst = dates.every((date, at) => at === 0 || date < placed(dates, at - 1))
  return dates.length === shape.dateCount && isFarFirst
}

/** True if the number and order of the strikes fit this shape. */
export function areStrikesOf(shape: ComboShape, strikes: readonly Price9[]): boolean {
  if (strikes.length !== shape.strikeCount) return false
  return strikes.every((strike, at) => {
    if (at === 0) return true
    const before = placed(strikes, at - 1)
    if (shape.strikeOrder === 'distinct') return strike !== before
    return shape.strikeOrder === 'ascending' ? strike > before : strike < before
  })
}

/** A date or a strike by its place in the name. */
export function placed<T>(list: readonly T[], at: number): T {
  return defined(list[at], 'a combo names every date and strike of its shape')
}
