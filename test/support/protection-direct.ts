/** Direct-access steps of a run of protections. */
import type { Facts } from './protection-facts.ts'
import type { Act } from './protection-intents.ts'
import type { Asked } from './protection-prelude.ts'
import { instrumentOf, pickOrder, priceAt, sidesOf } from './protection-terms.ts'
import { type Params, quoteGroups, sessions } from './protection-world.ts'

function gateOf({ pick }: Act): number {
  return pick % 2 === 0 ? sessions.gateA : sessions.gateB
}

/** A message; some set their own number. */
function direct(act: Act, method: string, params: Params): Asked {
  const numbered = act.pick % 3 === 0 ? { correlation_id: act.pick, ...params } : params
  return { method: `sim/direct/${method}`, account: 'gate', session: gateOf(act), params: numbered }
}

export function directOrder(facts: Facts, act: Act): Asked {
  const { count, level, isBuy } = act
  // While its group is frozen, the Member requests a reset more often.
  const isFrozen = facts.group('gate', 'eth_usd', null)?.freeze != null
  const flavour = isFrozen && act.pick % 2 === 0 ? 3 : act.flavour
  const instrument = instrumentOf(act)
  const flags: (readonly string[])[] = [
    ...[[], ['cancel_on_disconnect'], ['mmp'], ['mmp', 'reset_mmp'], ['post_only'], ['mmp']],
    ...[
      ['post_only_reject', 'cancel_on_disconnect'],
      ['cancel_on_disconnect', 'mmp', 'reset_mmp'],
    ],
  ]
  const times = ['GTC', 'GTC', 'GTC', 'IOC', 'GTC', 'FOK']
  return direct(act, 'new_order', {
    ...{ client_order_id: facts.created + 1, instrument_name: instrument.name },
    ...{ side: isBuy ? 'buy' : 'sell', amount: Math.min(count, 3) * instrument.size },
    ...{ price: priceAt(instrument, level), flags: flags[flavour % flags.length] ?? [] },
    time_in_force: times[flavour % times.length] ?? 'GTC',
  })
}

export function directAmend(facts: Facts, act: Act): Asked | null {
  const order = pickOrder(facts, act, ({ clientId }) => clientId !== null)
  if (order === null) return null
  const instrument = facts.instrument(order.instrument).traded
  return direct(act, 'amend_order', {
    client_order_id: Number(order.clientId),
    ...{ price: priceAt(instrument, act.level), amount: act.count * instrument.size },
  })
}

export function directCancel(facts: Facts, act: Act): Asked | null {
  const order = pickOrder(facts, act, ({ clientId }) => clientId !== null)
  if (order === null) return null
  if (act.flavour % 2 === 0) return direct(act, 'cancel_order_by_id', { order_id: order.id })
  return direct(act, 'cancel_order', { client_order_id: Number(order.clientId) })
}

export function directQuote(facts: Facts, act: Act): Asked | null {
  const group = facts.group('gate', 'eth_usd', quoteGroups[act.group % 2] ?? null)
  const instrument = instrumentOf(act)
  if (group === undefined || instrument.index !== 'eth_usd') return null
  const { bid, ask, size } = sidesOf(act)
  return direct(act, 'mass_quote', {
    ...{ quote_id: act.pick, mmp_group_id: group.number },
    ...(act.flavour % 5 === 0 ? { flags: ['reset_mmp'] } : {}),
    quotes: [
      {
        ...{ instrument_name: instrument.name, bid_price: bid, bid_amount: size },
        ...{ ask_price: ask, ask_amount: act.pick % 7 === 0 ? 0 : size },
      },
    ],
  })
}

export function directMany(facts: Facts, act: Act): Asked {
  const group = facts.group('gate', 'eth_usd', quoteGroups[act.group % 2] ?? null)
  if (act.flavour % 2 === 0 && group !== undefined) {
    return direct(act, 'mass_quote_cancel', { mmp_group_id: group.number })
  }
  return direct(act, 'mass_cancel', { currency_pair: 'eth_usd' })
}
