/**
 * The state of the performance sink, and its snapshot.
 */
import {
  type AccountId,
  assert,
  changing,
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  fixed,
  holdsRow,
  listOf,
  liveUnit,
  loadRow,
  ok,
  type Plain,
  plainUnit,
  type Result,
  type RowOf,
  rowUnit,
  savedRows,
  saveRow,
  setOf,
  type TextFault,
  type Unit,
  units,
  wired,
} from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'
import {
  type AccountTally,
  accountFields,
  type InstrumentTerms,
  type WalletTally,
} from './tallies.ts'

/** A wallet and whose it is. */
export interface WalletPlace {
  readonly account: AccountId
  readonly currency: Currency
  readonly wallet: WalletTally
}

/** Wallets by account and currency; whoever restores them finds them in their accounts. */
const walletPlaces: Unit<WalletPlace[]> = {
  ...liveUnit<WalletPlace[]>(),
  save: (list) => list.map(({ account, currency }) => [account, currency]),
}

export const stateFields = {
  accounts: fixed(listOf(rowUnit('account', accountFields))),
  /** By all that the sums need of them. */
  instruments: fixed(plainUnit<InstrumentTerms[]>('instruments')),
  /** Live orders that are filled in part. */
  partly: fixed(setOf(units.count)),
  /** Wallets with fills since the last sample. */
  due: wired(changing(walletPlaces)),
  /** Wallets whose equity moves with prices. */
  exposed: wired(fixed(walletPlaces)),
  /** True if equity may have moved since the last point of the grid. */
  moved: changing(units.flag),
  /** The next point of the grid. */
  nextSample: changing(units.count),
  sampleEvery: fixed(units.count),
}

/** The running sums of a run. */
export interface State extends RowOf<typeof stateFields> {}

const SNAPSHOT_VERSION = 6
const MAGIC = 'PITCLOCK PERFORMANCE'
const nothing = new Uint8Array(0)

/** The state at the start of a run. */
export function createState(sampleEvery: number): State {
  assert(
    Number.isSafeInteger(sampleEvery) && sampleEvery > 0,
    'samples have a minimum distance in time',
  )
  return {
    accounts: [],
    instruments: [],
    partly: new Set<number>(),
    due: [],
    exposed: [],
    moved: false,
    nextSample: 0,
    sampleEvery,
  }
}

/** An account that was opened. */
export function accountAt(state: State, account: number): AccountTally {
  return defined(state.accounts[account], 'an account is opened before its first event')
}

/** Notes that the equity of a wallet moved and is to be sampled. */
export function touch(
  state: State,
  account: AccountId,
  { currency, wallet }: { readonly currency: Currency; readonly wallet: WalletTally },
): void {
  if (wallet.due) return
  wallet.due = true
  state.due.push({ account, currency, wallet })
  if (wallet.exposed) return
  wallet.exposed = true
  state.exposed.push({ account, currency, wallet })
}

/** An instrument that was listed. */
export function termsAt(state: State, instrument: number): InstrumentTerms {
  return defined(state.instruments[instrument], 'an instrument is listed before it trades')
}

/** Saves the state as bytes. */
export function snapshotState(state: State): Uint8Array {
  const value = encodeValue(saveRow(stateFields, state))
  return encodeSections(MAGIC, SNAPSHOT_VERSION, new Map([['performance', value]]))
}

/** The state of a snapshot. */
export function restoreState(bytes: Uint8Array): Result<State, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('performance') ?? nothing) : sections
  // The checksum has shown that whoever wrote it knew the magic and the version: its shape is our own.
  if (decoded.ok && holdsRow(stateFields, decoded.value)) return ok(stateOf(decoded.value))
  const expected = `performance of a run, snapshot version ${SNAPSHOT_VERSION}`
  return err({ found: decoded.ok ? 'other data' : 'damaged data', expected })
}

function stateOf(saved: Plain): State {
  const kept = loadRow(stateFields, saved)
  const placesOf = (name: 'due' | 'exposed'): WalletPlace[] =>
    savedRows(saved, name).map((place) => placeOf(kept.accounts, place))
  return { ...kept, due: placesOf('due'), exposed: placesOf('exposed') }
}

function placeOf(accounts: readonly AccountTally[], saved: Plain): WalletPlace {
  // A place is saved as its account and its currency.
  const [account, currency] = saved as readonly [AccountId, Currency]
  const wallet = accounts[account]?.wallets.get(currency)
  return { account, currency, wallet: defined(wallet, 'a wallet exists for the position') }
}
