/**
 * Requests of a scenario file for commands without orders: combos, transfers between accounts of one owner,
 * participants of the liquidity support programme.
 */
import { formatScaledNumber } from '../../src/core/index.ts'
import { type CommandOf, type InstrumentSpec, lspGroupName, lspGroups } from '../../src/model/index.ts'
import { type Decimal, price, type Value } from './flow-yaml.ts'

/** A command of this file. */
export type TransferCommand = CommandOf<'create_combo' | 'move_positions' | 'transfer_cash' | 'set_lsp_participant'>

/** A request in its written form. */
export interface Asked {
  readonly call: string
  readonly params: { readonly [key: string]: Value }
  readonly as?: string
}

/** The names in a file of the ids in a command. */
export interface Names {
  account(id: number): string
  spec(instrument: number): InstrumentSpec
  /** Undefined if it is not listed. */
  specNamed(name: string): InstrumentSpec | undefined
  amount(instrument: number, lots: number): Decimal
}

/** The request of a command. */
export function transferRequest(command: TransferCommand, names: Names): Asked {
  const as = names.account(command.account)
  switch (command.kind) {
    case 'create_combo':
      return { as, call: 'private/create_combo', params: { trades: legsOf(command.spec, names) } }
    case 'move_positions': {
      const trades = command.positions.map(({ instrument, amount, price: asked }) => ({
        instrument_name: names.spec(instrument).name,
        amount: names.amount(instrument, amount),
        ...(asked === null ? {} : { price: price(asked) }),
      }))
      const { source, target } = command
      const uids = { source_uid: uid(source), target_uid: uid(target) }
      return { as, call: 'private/move_positions', params: { ...uids, trades } }
    }
    case 'transfer_cash': {
      const { currency, amount, source, target } = command
      const params = { currency, amount: price(amount), source: uid(source) }
      const call = 'private/submit_transfer_between_subaccounts'
      return { as, call, params: { ...params, destination: uid(target) } }
    }
    case 'set_lsp_participant': {
      const limits = lspGroups.flatMap((group): readonly (readonly [string, Decimal])[] => {
        const ppm = command.limitsPpm[group]
        if (ppm === undefined) return []
        return [[lspGroupName(group), { decimal: formatScaledNumber(ppm, 4) }]]
      })
      const account = names.account(command.target)
      const params = { account, enabled: command.enabled, group_limits: Object.fromEntries(limits) }
      return { call: 'sim/set_lsp_participant', params }
    }
  }
}

/** A combo in sizes that every leg accepts; a combo with an unlisted leg is refused at any size. */
function legsOf({ detail }: InstrumentSpec, names: Names): readonly Value[] {
  if (detail.type !== 'combo') throw new Error('a combo has legs')
  const least = detail.legs.map(({ instrumentName }) => {
    const spec = names.specNamed(instrumentName)
    return spec === undefined ? 1 : spec.minTradeLots * spec.amountStep9
  })
  const most = Math.max(...least)
  return detail.legs.map(({ instrumentName, ratio }) => ({
    instrument_name: instrumentName,
    direction: ratio > 0 ? 'buy' : 'sell',
    amount: price(most * Math.abs(ratio)),
  }))
}

function uid(account: number): Decimal {
  return { decimal: String(account) }
}
