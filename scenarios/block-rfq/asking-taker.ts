/**
 * A taker of Block RFQs. At intervals it creates an RFQ for one of its structures, and looks at the quotes after the
 * grace period. It accepts a price near the mark. Otherwise it leaves a trigger at its price and gives up later.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  structures: readonly Structure[]
  /** Time between two RFQs, such as `15m`, and before the first. */
  every: string
  first: string
  /** Time from the creation of an RFQ to the look at its quotes, such as `8s`. */
  look: string
  /** Time after that look until it gives up, such as `2m`. */
  patience: string
  disclosed?: boolean
}

interface Structure {
  legs: readonly { instrument_name: string; amount: number; direction: 'buy' | 'sell' }[]
  hedge?: {
    instrument_name: string
    direction: 'buy' | 'sell'
    amount: number
  }
  /** Largest distance of its price from the mark of the structure. */
  tolerance: number
}

/** Plain data, so the run can be saved. */
type State = {
  /** The next structure and side. */
  next: { structure: number; direction: 'buy' | 'sell' } | null
  open: Rfq[]
}

type Rfq = {
  readonly id: number
  readonly structure: number
  readonly direction: 'buy' | 'sell'
  readonly mark: number
  /** Worst shown price for the whole amount on its side, or null. */
  shown: number | null
}

export default defineStrategy<Params, State>((params) => {
  const { structures, every, first, look, patience, disclosed = true } = params
  let state: State = { next: null, open: [] }

  function known(id: number): Rfq | undefined {
    return state.open.find((each) => each.id === id)
  }

  function ask(venue: StrategyVenue): void {
    const structure = Math.floor(venue.random() * structures.length)
    const direction = venue.random() < 0.5 ? 'buy' : 'sell'
    const { legs, hedge } = structures[structure] as Structure
    state.next = { structure, direction }
    const price =
      hedge === undefined
        ? 0
        : venue.price(hedge.instrument_name, venue.holding(hedge.instrument_name).markPrice, 'down')
    venue.request('private/create_block_rfq', {
      ...{ legs: [...legs], disclosed, label: `structure ${structure}` },
      ...(hedge === undefined ? {} : { hedge: { ...hedge, price } }),
    })
  }

  function take(id: number, venue: StrategyVenue): void {
    const rfq = known(id)
    const structure = structures[rfq?.structure ?? -1]
    if (rfq === undefined || structure === undefined) return
    const { direction, mark, shown } = rfq
    const sign = direction === 'buy' ? 1 : -1
    const limit = Number((mark + sign * structure.tolerance).toFixed(4))
    const isNear = shown !== null && sign * shown <= sign * limit
    const { amount, ratios } = divided(structure.legs.map((leg) => leg.amount))
    venue.request('private/accept_block_rfq', {
      ...{ block_rfq_id: id, price: limit, amount, direction },
      legs: structure.legs.map(({ instrument_name, direction: side }, at) => {
        return { instrument_name, direction: side, ratio: ratios[at] ?? 1 }
      }),
      time_in_force: isNear ? 'fill_or_kill' : 'good_til_cancelled',
    })
    venue.setTimer(`leave ${id}`, patience)
  }

  return {
    onStart: (venue) => venue.setTimer('ask', first),
    onBlockRfq: (rfq, venue) => {
      if (rfq.role !== 'taker') return
      const { block_rfq_id: id, change, mark_price: mark } = rfq
      if (change === 'created' && state.next !== null) {
        state.open.push({ ...state.next, id, mark, shown: null })
        state.next = null
        venue.setTimer(`look ${id}`, look)
      }
      const own = known(id)
      if (own === undefined) return
      const side = own.direction === 'buy' ? rfq.asks : rfq.bids
      own.shown = side?.[0]?.price ?? null
      if (rfq.state !== 'open') state.open = state.open.filter((each) => each !== own)
    },
    onTimer: (name, venue) => {
      const [what = '', id = ''] = name.split(' ')
      if (what === 'ask') {
        ask(venue)
        venue.setTimer('ask', every)
      } else if (what === 'look') take(Number(id), venue)
      else if (known(Number(id)) !== undefined) {
        venue.request('private/cancel_block_rfq', { block_rfq_id: Number(id) })
      }
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})

/** The greatest common divisor of the sizes, and the ratio of each size to it, as the venue counts structures. */
function divided(sizes: readonly number[]): { amount: number; ratios: readonly number[] } {
  const steps = sizes.map((size) => Math.round(size * 10))
  const divisor = steps.reduce(function common(a: number, b: number): number {
    return b === 0 ? a : common(b, a % b)
  })
  return { amount: divisor / 10, ratios: steps.map((step) => step / divisor) }
}
