/**
 * Commands of a random stream without orders: transfers of positions and money between accounts of one owner,
 * participants of the liquidity support programme; and filters of bulk cancels.
 */
import { accountId, amount, instrumentId, lots, price9 } from '../../src/core/index.ts'
import {
  anyOrder,
  type Command,
  type CommandHeader,
  houseAccountNames,
  type InstrumentSpec,
  NO_ACCOUNT,
  type OrderFilter,
  triggerOrderTypes,
} from '../../src/model/index.ts'
import type { Sight } from './command-orders.ts'
import type { Intent, World } from './command-world.ts'

const firstUser = houseAccountNames.length

export type TransferKind = 'move' | 'transfer' | 'participant'

/** Inputs of a transfer. */
interface Known {
  readonly world: World
  /** Instruments by their ids. */
  readonly sights: readonly Sight[]
  readonly intent: Intent
}

type Transfer = Extract<Command, { readonly kind: 'move_positions' | 'transfer_cash' | 'set_lsp_participant' }>

/** A command without its header, and the account that requests it. */
type Asked = { readonly asks: number } & (Transfer extends infer C
  ? C extends Transfer
    ? Omit<C, keyof CommandHeader>
    : never
  : never)

/** A transfer of one kind. */
export function transferOf(kind: TransferKind, known: Known): Asked {
  switch (kind) {
    case 'move':
      return moveOf(known)
    case 'transfer':
      return cashOf(known)
    case 'participant':
      return participantOf(known)
  }
}

/** Mostly between accounts of one owner, and of existing positions. */
function moveOf({ world, sights, intent }: Known): Asked {
  const { pick, detail, size } = intent
  const [source, target] = twoAccounts(world, intent)
  const held = [...sights.entries()].filter(([, sight]) => sight.positions.get(source))
  const any = intent.where % sights.length
  const [at = any, sight] = held[pick % Math.max(1, held.length)] ?? []
  const most = Math.abs(sight?.positions.get(source) ?? size)
  const part = detail % 7 === 0 ? most + 1 : Math.max(1, Math.floor((most * (1 + (size % 4))) / 4))
  const near = Math.max(1, Math.round((sight?.mark ?? 1) * (1 + (intent.offset * detail) / 1e10)))
  const price = detail % 3 === 0 ? price9(near) : null
  return {
    asks: pick % 5 === 0 ? firstUser : source,
    ...{ kind: 'move_positions', source: accountId(source), target: accountId(target) },
    positions: [{ instrument: instrumentId(at), amount: lots(part), price }],
  }
}

function cashOf({ world, intent }: Known): Asked {
  const { pick, size } = intent
  const [source, target] = twoAccounts(world, intent)
  const currency = (['BTC', 'ETH', 'USDC'] as const)[pick % 3] ?? 'BTC'
  const most = pick % 7 === 0 ? 1_000_000_000_000_000n : 1_000_000_000n
  return {
    asks: pick % 5 === 0 ? firstUser : source,
    ...{ kind: 'transfer_cash', source: accountId(source), target: accountId(target) },
    ...{ currency, amount: amount((BigInt(size) - 1n) * most), nonce: null },
  }
}

function participantOf({ world, intent }: Known): Asked {
  const { pick, detail, size } = intent
  const limits = pick % 3 === 0 ? { tier_1: size * 20_000, tier_2: detail % 400_000 } : {}
  return {
    asks: NO_ACCOUNT,
    kind: 'set_lsp_participant',
    target: accountId(firstUser + (intent.who % world.accounts)),
    ...{ enabled: pick % 3 > 0, limitsPpm: limits },
  }
}

function twoAccounts({ accounts, subaccounts }: World, intent: Intent): readonly [number, number] {
  const { who, detail } = intent
  // The subaccounts and their main account.
  const own = [0, ...Array.from({ length: subaccounts }, (_, at) => accounts - 1 - at)]
  const one = own[who % own.length] ?? 0
  const other = own[(who + 1) % own.length] ?? 0
  const isOther = detail % 11 === 0
  return [firstUser + one, firstUser + (isOther ? who % accounts : other)]
}

/** Sometimes each part of a filter alone, sometimes no part. */
export function filterOf(
  at: number,
  { priceIndex }: Pick<InstrumentSpec, 'priceIndex'>,
  { pick, detail }: Intent,
): OrderFilter {
  const part = <T>(bit: number, value: T): T | null => (Math.floor(detail / 4 ** bit) % 4 === 0 ? value : null)
  const types = triggerOrderTypes.filter((_type, place) => (pick >> place) % 2 === 0)
  return {
    ...anyOrder,
    label: part(0, 'a'),
    currencies: part(1, pick % 2 === 0 ? (['BTC', 'ETH'] as const) : (['USDC'] as const)),
    instrument: part(2, instrumentId(at)),
    includeCombos: pick % 2 === 0,
    kinds: part(3, pick % 2 === 0 ? (['future', 'option'] as const) : (['spot'] as const)),
    pair: part(4, priceIndex),
    types: part(5, pick % 2 === 0 ? ('in_book' as const) : types),
  }
}

/** A fault that the reader found in a request. */
export function faultOf(pick: number): NonNullable<CommandHeader['fault']> {
  const steps = [1, 5, 7, 10, 11, 12, 14, 15, 17, 19, 20, 21] as const
  return {
    step: steps[pick % steps.length] ?? 1,
    refusal: { reason: 'unsupported_arg_combination' },
  }
}
