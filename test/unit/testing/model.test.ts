/** The reference model agrees with the venue, and its commands find and shrink planted mistakes of clients. */
import { describe, expect, test } from 'vitest'
import { formatInputError, parseScenario, runScenario } from '../../../src/index.ts'
import {
  createModel,
  fc,
  type ModelClient,
  modelCommands,
  modelMarket,
  type RunError,
  recordVenue,
  scenarioText,
  venueClient,
} from '../../../src/testing/index.ts'

test('the model and the venue agree in 200 runs', async () => {
  let fills = 0
  await fc.assert(
    fc.asyncProperty(modelCommands(), async (commands) => {
      const recorded = recordVenue(modelMarket())
      const state = createModel()
      await fc.asyncModelRun(() => ({ model: state, real: { client: venueClient(recorded), recorded } }), commands)
      recorded.checkLaws()
      fills += state.model.fills
    }),
    { numRuns: 200, seed: 47 },
  )
  expect(fills).toBeGreaterThan(100)
})

/** Clients with a planted mistake, around one that has none. */
const mistakes: Readonly<Record<string, (client: ModelClient) => ModelClient>> = {
  'loses a cancel': (client) => async (request) => {
    if (request.method !== 'private/cancel') return client(request)
    const listed = await client({ account: request.account, method: 'private/get_open_orders', params: {} })
    const open = (listed.result as readonly { readonly order_id: string; readonly amount: number }[]) ?? []
    const order = open.find(({ order_id: id }) => id === (request.params as { readonly order_id?: unknown }).order_id)
    return order === undefined ? { ok: false } : { ok: true, result: { ...order, order_state: 'cancelled' } }
  },
  'doubles an order': (client) => async (request) => {
    if (request.method === 'private/buy') await client(request)
    return client(request)
  },
  'rounds a price': (client) => (request) => {
    const { price } = request.params as { readonly price?: number }
    return client(
      price === undefined ? request : { ...request, params: { ...request.params, price: Math.floor(price) } },
    )
  },
  'ignores post-only': (client) => (request) => {
    const { post_only: _, reject_post_only: __, ...params } = { ...(request.params as Record<string, never>) }
    return client({ ...request, params })
  },
  'reports a wrong position': (client) => async (request) => {
    const reply = await client(request)
    if (request.method !== 'private/get_position') return reply
    const { size, size_currency: coins } = reply.result as { readonly size: number; readonly size_currency: number }
    return { ok: true, result: { size: Math.abs(size), size_currency: Math.abs(coins) } }
  },
}

describe('the commands find a client that', () => {
  test.each(Object.entries(mistakes))('%s', async (_, mistaken) => {
    const details = await fc.check(
      fc.asyncProperty(modelCommands(), async (commands) => {
        const recorded = recordVenue(modelMarket())
        const client = mistaken(venueClient(recorded))
        await fc.asyncModelRun(() => ({ model: createModel(), real: { client, recorded } }), commands)
      }),
      { numRuns: 100, seed: 47 },
    )
    expect(details.failed).toBe(true)
    const { run } = details.errorInstance as RunError
    const scenario = parseScenario(scenarioText(run), 'model.yaml')
    if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
    const { failures } = runScenario(scenario.value, {})
    expect(failures.filter(({ path }) => path.startsWith('expect.'))).not.toEqual([])
  })
})
