/**
 * Converts the expectations at the end of a run to queries: each part of `expect` is compared with the reply of one
 * method.
 */
import type { FinalCheck } from '../../scenario.ts'
import { entriesOf, type Located, nodeAt, type Path } from '../located.ts'

/** A final check with the path of keys to it. */
type PlacedCheck = Omit<FinalCheck, 'path'> & { readonly steps: Path }

/** One page with as many trades as a reply can hold, oldest first. */
const tradePage = { sorting: 'asc', count: 1000 } as const

/** One page with as many settlements as a reply can hold, latest first. */
const settlementPage = { count: 1000 } as const

/** One page with as many rows as a reply can hold, latest first, from all times. */
const logPage = { start_timestamp: 0, end_timestamp: 9_007_199_254_740, count: 250 } as const

type AccountQuery = Pick<FinalCheck, 'method' | 'params' | 'part'> & {
  /** The parameter of the method that the keys of the section give; null for a section without such keys. */
  readonly by: 'instrument_name' | 'currency' | null
}

/** The query for each part of an account's expectations. */
const accountQueries: ReadonlyMap<string, AccountQuery> = new Map(
  Object.entries<AccountQuery>({
    positions: {
      method: 'private/get_position',
      params: {},
      part: null,
      by: 'instrument_name',
    },
    open_orders: { method: 'private/get_open_orders', params: {}, part: null, by: null },
    account_summary: {
      method: 'private/get_account_summary',
      params: {},
      part: null,
      by: 'currency',
    },
    settlements: {
      method: 'private/get_settlement_history_by_currency',
      params: settlementPage,
      part: 'settlements',
      by: 'currency',
    },
    user_trades: {
      method: 'private/get_user_trades_by_instrument',
      params: tradePage,
      part: 'trades',
      by: 'instrument_name',
    },
    transaction_log: {
      method: 'private/get_transaction_log',
      params: logPage,
      part: 'logs',
      by: 'currency',
    },
    transfers: {
      method: 'private/get_transfers',
      params: { count: 1000 },
      part: 'data',
      by: 'currency',
    },
    subaccounts: {
      method: 'private/get_subaccounts',
      params: { with_portfolio: true },
      part: null,
      by: null,
    },
    user_locks: { method: 'private/get_user_locks', params: {}, part: null, by: null },
    lsp_usage: { method: 'private/get_lsp_usage', params: {}, part: null, by: null },
  }),
)

/** The query for each part of an instrument's expectations. */
const instrumentQueries: ReadonlyMap<string, Pick<FinalCheck, 'method' | 'params' | 'part'>> = new Map([
  ['ticker', { method: 'public/ticker', params: {}, part: null }],
  ['order_book', { method: 'public/get_order_book', params: {}, part: null }],
  [
    'last_trades',
    {
      method: 'public/get_last_trades_by_instrument',
      params: tradePage,
      part: 'trades',
    },
  ],
])

/** All final checks of a file, accounts first, in the order of the file. */
export function finalChecks(root: Located): readonly PlacedCheck[] {
  const checks: PlacedCheck[] = []
  for (const [account, { node }] of entriesOf(nodeAt(root, ['expect', 'accounts']))) {
    checks.push(...accountChecks(account, node))
  }
  for (const [name, { node }] of entriesOf(nodeAt(root, ['expect', 'instruments']))) {
    checks.push(...instrumentChecks(name, node))
  }
  for (const [name, { node: expected }] of entriesOf(nodeAt(root, ['expect', 'index']))) {
    const query = { account: null, method: 'public/get_index_price', part: null }
    const params = { index_name: name }
    checks.push({ ...query, params, expected, steps: ['expect', 'index', name] })
  }
  for (const [currency, { node: expected }] of entriesOf(nodeAt(root, ['expect', 'settlements']))) {
    const query = { account: null, method: 'public/get_last_settlements_by_currency' }
    const params = { currency, ...settlementPage }
    const steps = ['expect', 'settlements', currency]
    checks.push({ ...query, params, part: 'settlements', expected, steps })
  }
  for (const [currency, { node: expected }] of entriesOf(nodeAt(root, ['expect', 'combos']))) {
    const query = { account: null, method: 'public/get_combos', part: null }
    checks.push({ ...query, params: { currency }, expected, steps: ['expect', 'combos', currency] })
  }
  return checks
}

function accountChecks(account: string, node: Located): readonly PlacedCheck[] {
  const base = ['expect', 'accounts', account]
  const checks: PlacedCheck[] = []
  for (const [section, { node: expected }] of entriesOf(node)) {
    const query = accountQueries.get(section)
    if (query === undefined) continue
    const { by, ...asked } = query
    if (by === null) {
      checks.push({ ...asked, account, expected, steps: [...base, section] })
      continue
    }
    for (const [key, { node: entry }] of entriesOf(expected)) {
      const params = { [by]: key, ...asked.params }
      checks.push({ ...asked, account, params, expected: entry, steps: [...base, section, key] })
    }
  }
  return checks
}

function instrumentChecks(name: string, node: Located): readonly PlacedCheck[] {
  const checks: PlacedCheck[] = []
  for (const [section, { node: expected }] of entriesOf(node)) {
    const query = instrumentQueries.get(section)
    if (query === undefined) continue
    const params = { instrument_name: name, ...query.params }
    const steps = ['expect', 'instruments', name, section]
    checks.push({ ...query, account: null, params, expected, steps })
  }
  return checks
}
