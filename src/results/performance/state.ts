/**
 * The state of the performance sink, and its snapshot.
 */
import {
  type AccountId,
  accountId,
  assert,
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  ok,
  type Plain,
  type Result,
  type TextFault,
} from '../../core/index.ts'
import { type Currency, isCurrency } from '../../model/index.ts'
import { isRecord } from '../snapshot.ts'
import {
  type AccountTally,
  type InstrumentTerms,
  restoreAccount,
  snapshotAccount,
  type WalletTally,
} from './tallies.ts'

/** A wallet and whose it is. */
export interface WalletPlace {
  readonly account: AccountId
  readonly currency: Currency
  readonly wallet: WalletTally
}

/** The running sums of a run. */
export interface State {
  readonly accounts: AccountTally[]
  readonly instruments: InstrumentTerms[]
  /** Live orders that are filled in part. */
  readonly partly: Set<number>
  /** Wallets with fills since the last sample. */
  due: WalletPlace[]
  /** Wallets whose equity moves with prices. */
  readonly exposed: WalletPlace[]
  /** Whether equity may have moved since the last point of the grid. */
  moved: boolean
  /** The next point of the grid. */
  nextSample: number
  readonly sampleEvery: number
}

const SNAPSHOT_VERSION = 5
const MAGIC = 'PITCLOCK PERFORMANCE'
const nothing = new Uint8Array(0)

/** The state at the start of a run. */
export function createState(sampleEvery: number): State {
  assert(Number.isSafeInteger(sampleEvery) && sampleEvery > 0, 'samples lie a time apart')
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
  return defined(state.accounts[account], 'an account is opened before it acts')
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

/** The state as bytes. Instruments are named by all that the sums need of them. */
export function snapshotState(state: State): Uint8Array {
  const places = (list: readonly WalletPlace[]): Plain =>
    list.map(({ account, currency }) => [account, currency])
  const value = encodeValue({
    accounts: state.accounts.map(snapshotAccount),
    instruments: state.instruments.map((terms) => ({ ...terms })),
    partly: [...state.partly],
    due: places(state.due),
    exposed: places(state.exposed),
    moved: state.moved,
    nextSample: state.nextSample,
    sampleEvery: state.sampleEvery,
  })
  return encodeSections(MAGIC, SNAPSHOT_VERSION, new Map([['performance', value]]))
}

/** The state of a snapshot. */
export function restoreState(bytes: Uint8Array): Result<State, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('performance') ?? nothing) : sections
  const state = decoded.ok ? stateOf(decoded.value) : undefined
  if (state !== undefined) return ok(state)
  const expected = `performance of a run, snapshot version ${SNAPSHOT_VERSION}`
  return err({ found: decoded.ok ? 'other data' : 'damaged data', expected })
}

function stateOf(saved: Plain): State | undefined {
  if (!isRecord(saved)) return undefined
  const { moved, nextSample, sampleEvery } = saved
  if (typeof moved !== 'boolean' || typeof nextSample !== 'number') return undefined
  if (typeof sampleEvery !== 'number' || !(sampleEvery > 0)) return undefined
  const accounts = listOf(saved['accounts'], restoreAccount)
  const instruments = listOf(saved['instruments'], restoreTerms)
  const partly = listOf(saved['partly'], (id) => (typeof id === 'number' ? id : undefined))
  if (accounts === undefined || instruments === undefined || partly === undefined) return undefined
  const placeOf = (place: Plain): WalletPlace | undefined => restorePlace(place, accounts)
  const due = listOf(saved['due'], placeOf)
  const exposed = listOf(saved['exposed'], placeOf)
  if (due === undefined || exposed === undefined) return undefined
  return {
    accounts,
    instruments,
    partly: new Set(partly),
    due,
    exposed,
    moved,
    nextSample,
    sampleEvery,
  }
}

function restorePlace(saved: Plain, accounts: readonly AccountTally[]): WalletPlace | undefined {
  const [account, currency] = Array.isArray(saved) ? (saved as readonly Plain[]) : []
  if (typeof account !== 'number' || typeof currency !== 'string') return undefined
  if (!isCurrency(currency)) return undefined
  const wallet = accounts[account]?.wallets.get(currency)
  return wallet === undefined ? undefined : { account: accountId(account), currency, wallet }
}

function restoreTerms(saved: Plain): InstrumentTerms | undefined {
  if (!isRecord(saved)) return undefined
  const { name, payoff, amountStep9, settlementCurrency, base, isOption } = saved
  if (typeof name !== 'string' || typeof amountStep9 !== 'number') return undefined
  if (payoff !== 'inverse' && payoff !== 'linear' && payoff !== 'spot') return undefined
  if (typeof settlementCurrency !== 'string' || !isCurrency(settlementCurrency)) return undefined
  if (base !== null && !(typeof base === 'string' && isCurrency(base))) return undefined
  if (typeof isOption !== 'boolean') return undefined
  return { name, payoff, amountStep9, settlementCurrency, base, isOption }
}

/** Every item restored, or undefined where it is no list or an item is of another shape. */
function listOf<Item>(
  saved: Plain | undefined,
  restore: (item: Plain) => Item | undefined,
): Item[] | undefined {
  if (!Array.isArray(saved)) return undefined
  const items: Item[] = []
  for (const each of saved as readonly Plain[]) {
    const item = restore(each)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}
