/**
 * Generated requests with all laws and audits, for `npm run canaries`: `node .ci/ts.mjs test/canaries/fuzz.ts SEED`. It
 * prints the first violation after `found: ` and exits with 1, or exits with 0.
 */
import fc from 'fast-check'
import { auditCopy, micros } from '../../src/engine.ts'
import {
  type AnyRequest,
  assertLaws,
  createModel,
  modelCommands,
  modelMarket,
  recordVenue,
  type TrafficSpace,
  traffic,
  trafficMarket,
  venueClient,
} from '../../src/testing/index.ts'

const seed = Number(process.argv[2] ?? '1')

/** Markets of each sort of instrument, with the kinds of orders that it allows. */
const spaces: readonly Pick<TrafficSpace, 'instrument' | 'price' | 'kinds'>[] = [
  { instrument: 'BTC-PERPETUAL', price: 50_000, kinds: ['trigger', 'reduce_only', 'iceberg', 'oco'] },
  { instrument: 'BTC_USDC-PERPETUAL', price: 50_000, kinds: ['trigger', 'reduce_only', 'iceberg', 'oco'] },
  { instrument: 'BTC-9JAN26', price: 50_000, kinds: ['trigger', 'reduce_only', 'oco'] },
  { instrument: 'BTC-9JAN26-50000-C', price: 0.02, kinds: ['reduce_only', 'oco', 'advanced'] },
  { instrument: 'BTC_USDC', price: 50_000, kinds: ['trigger', 'iceberg', 'oco'] },
]

/** Runs of traffic on each instrument, and of the commands of the reference model. */
const runs = { traffic: 6, model: 60 } as const

/** So often a copy is made and compared, which costs as much as a hundred requests. */
const COPY_EVERY = 40

const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const entry = { currency: 'BTC', type: 'withdrawal', address, label: 'kit', agreed: true, personal: true }
const owner = { beneficiary_first_name: 'Ada', beneficiary_last_name: 'Example', beneficiary_address: 'Nowhere 1' }
const provider = { beneficiary_vasp_name: 'Somebody', beneficiary_vasp_did: 'did:example:123' }
const paid = { currency: 'BTC', amount: 0.002 }

const hour = micros(3_600_000_000)

function ask(account: string | null, method: AnyRequest['method'], params: AnyRequest['params']): AnyRequest {
  return { account, method, params }
}

/** Money that moves to a subaccount, and withdrawals: paid out, cancelled, and timed out. */
const payments: readonly AnyRequest[] = [
  ask(null, 'sim/create_account', { name: 'ann_1', main: 'ann' }),
  ask('ann', 'private/submit_transfer_to_subaccount', { ...paid, destination: 7 }),
  ask('ann', 'private/add_to_address_book', { ...entry, ...owner, ...provider }),
  ask(null, 'sim/set_address', { account: 'ann', currency: 'BTC', address, status: 'ready' }),
  ask('ann', 'private/withdraw', { ...paid, address }),
  ask('ann', 'private/withdraw', { ...paid, address }),
  ask('ann', 'private/cancel_withdrawal', { currency: 'BTC', id: 2 }),
]

/** Sends requests with some longer waits between them, which settlements, deliveries and liquidations need. */
function sendAll(space: TrafficSpace, deposit: number, requests: readonly AnyRequest[]): void {
  const market = trafficMarket(space)
  const accounts = Object.fromEntries(space.accounts.map((name) => [name, { BTC: deposit, USDC: deposit * 50_000 }]))
  const config = { wallet: { confirmationTime: hour, completionTime: hour } }
  const recorded = recordVenue({ ...market, config, index: { btc_usd: 50_000, btc_usdc: 50_000 }, accounts })
  for (const request of payments) recorded.send(request)
  for (const [at, request] of requests.entries()) {
    recorded.send(request)
    recorded.checkLaws()
    if (at % COPY_EVERY === COPY_EVERY - 1) auditCopy(recorded.venue.exchange)
  }
  recorded.wait('24h')
  assertLaws(recorded.venue.desk)
  auditCopy(recorded.venue.exchange)
}

function runTraffic(): void {
  for (const [at, common] of spaces.entries()) {
    const space: TrafficSpace = {
      ...common,
      accounts: ['ann', 'bob', 'eve'],
      spread: 6,
      lotsMax: 300,
      sequencesMax: 120,
    }
    const drawn = fc.sample(traffic(space), { numRuns: runs.traffic, seed: seed * 100 + at })
    for (const [run, requests] of drawn.entries()) sendAll(space, run % 2 === 0 ? 1000 : 0.02, requests)
  }
}

/** Three accounts: with two, the one behind another in a queue could only trade with itself. */
async function runModel(): Promise<void> {
  const space = { accounts: ['ann', 'bob', 'eve'], spread: 2, commandsMax: 60 }
  for (const commands of fc.sample(modelCommands(space), { numRuns: runs.model, seed })) {
    const recorded = recordVenue(modelMarket(space))
    await fc.asyncModelRun(
      () => ({ model: createModel(), real: { client: venueClient(recorded), recorded } }),
      commands,
    )
    recorded.checkLaws()
  }
}

try {
  await runModel()
  runTraffic()
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.log(`found: ${error.message.split('\n')[0]}`)
  process.exitCode = 1
}
