/**
 * The expectations at the end of a run as queries: each part of `expect` is the reply of one method.
 */
import type { RequestParams } from '../../../rpc/index.ts'
import type { FinalCheck } from '../../scenario.ts'
import { entriesOf, type Located, nodeAt, type Path } from '../located.ts'

/** A final check with the keys that lead to it. */
export type PlacedCheck = Omit<FinalCheck, 'path'> & { readonly steps: Path }

/** As many as one reply holds, oldest first. */
const tradePage = { sorting: 'asc', count: 1000 } as const

/** As many as one reply holds, latest first. */
const settlementPage = { count: 1000 } as const

/** What each part of an instrument's expectations asks. */
const instrumentQueries: ReadonlyMap<
  string,
  Pick<FinalCheck, 'method' | 'params' | 'part'>
> = new Map([
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
  return checks
}

function accountChecks(account: string, node: Located): readonly PlacedCheck[] {
  const base = ['expect', 'accounts', account]
  const checks: PlacedCheck[] = []
  for (const [section, { node: expected }] of entriesOf(node)) {
    const each = (
      method: string,
      { part, paramsOf }: { part: FinalCheck['part']; paramsOf: (key: string) => RequestParams },
    ): void => {
      for (const [key, entry] of entriesOf(expected)) {
        const query = { account, method, params: paramsOf(key), part }
        checks.push({ ...query, expected: entry.node, steps: [...base, section, key] })
      }
    }
    if (section === 'positions') {
      const paramsOf = (key: string): RequestParams => ({ instrument_name: key })
      each('private/get_position', { part: null, paramsOf })
    } else if (section === 'account_summary') {
      const paramsOf = (key: string): RequestParams => ({ currency: key })
      each('private/get_account_summary', { part: null, paramsOf })
    } else if (section === 'user_trades') {
      const paramsOf = (key: string): RequestParams => ({ instrument_name: key, ...tradePage })
      each('private/get_user_trades_by_instrument', { part: 'trades', paramsOf })
    } else if (section === 'settlements') {
      const paramsOf = (key: string): RequestParams => ({ currency: key, ...settlementPage })
      each('private/get_settlement_history_by_currency', { part: 'settlements', paramsOf })
    } else if (section === 'open_orders') {
      const query = { account, method: 'private/get_open_orders', params: {}, part: null }
      checks.push({ ...query, expected, steps: [...base, section] })
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
