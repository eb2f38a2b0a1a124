/** Tokens, signatures and the secrets behind them: without a secret a client can neither forge nor replay one. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestVenue, runFile, type Server } from '../../src/node.ts'
import { allAreas, areasOf, type Grant, type Key, Seals, Signatures, Tokens } from '../../src/server/access/index.ts'
import { clientMarket, openClients } from '../support/client-market.ts'
import type { Heard } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-secrets-'))
const out = join(home, 'run')
const SECOND = 1000

const { alice } = clientMarket.accounts
const keys = { desk: { scopes: ['trade:read_write'] } }
const scenario = {
  ...clientMarket,
  title: 'Accounts with secrets',
  accounts: { ...clientMarket.accounts, alice: { ...alice, keys } },
  steps: [
    {
      at: '0ms',
      call: 'sim/direct/set_credential',
      params: { account: 'ann', client_id: 'S1', secret: 'of-the-scenario' },
    },
  ],
}

let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({ scenario, run: { out } })
})

afterAll(async () => {
  await venue.close()
  rmSync(home, { recursive: true })
})

const client = openClients(() => venue)

interface Pair {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

function pairOf({ result }: Heard): Pair {
  return result as Pair
}

function key(id: string, more: Partial<Key> = {}): Key {
  const usual = { changed: 0, account: id, isMain: true, areas: allAreas, addresses: [] }
  return { id, secret: `${id}-secret`, ...usual, ...more }
}

const here = { now: 0, connection: null, address: '127.0.0.1' }

describe('tokens', () => {
  const tokens = (): Tokens => new Tokens(() => true)
  const give = (of: Tokens, scope: string, from: Key = key('alice')): Grant => of.give(from, scope, 0, null)

  test('B1 no two servers issue the same tokens, and no token can be derived from others', () => {
    const given = [tokens(), tokens()].flatMap((each) => [give(each, ''), give(each, '')])
    const words = given.flatMap(({ access, refresh }) => [access, refresh])
    const secrets = words.map((word) => word.split('.')[2])
    expect(new Set(secrets).size).toBe(8)
    for (const word of words) expect(word).toMatch(/^\d{13}\.1[\w-]{7}\.[\w-]{43}$/)
  })

  test('D1 a token is valid until its end, but not at that instant', () => {
    const all = tokens()
    const grant = give(all, 'expires:10')
    const end = 10 * SECOND
    for (const [now, isGood] of [
      [end - 1, true],
      [end, false],
    ] as const) {
      const at = { ...here, now }
      expect(all.isAlive(grant, at)).toBe(isGood)
      expect(all.findRefresh(grant.refresh, at) === grant).toBe(isGood)
      expect(all.find(grant.access, at) === grant).toBe(isGood)
    }
  })

  test('D1 a lifetime is the requested one, although the machine counts fractions of a millisecond', () => {
    const all = tokens()
    for (let count = 0; count < 50; count += 1) {
      const { seconds, scope } = all.give(key('alice'), 'expires:60', 5536.529441 + count * 0.37, null)
      expect([seconds, scope]).toEqual([60, expect.stringContaining('expires:60')])
    }
  })

  test('D10 a logout ends the sessions of its key; sessions of that name of other keys continue', () => {
    const all = tokens()
    const [first, desk] = [key('alice'), key('alice/desk', { account: 'alice' })]
    const own = [give(all, 'session:s', first), give(all, 'session:s', first)]
    const others = [give(all, 'session:s', desk), give(all, 'session:t', first), give(all, '')]
    all.endSession(99, own[0] as Grant)
    for (const { access } of own) expect(all.find(access, here)).toBeUndefined()
    for (const { access } of others) expect(all.find(access, here)).toBeDefined()
  })

  test('B4 token.narrower: an exchanged token lives no longer than its source, nor does a refreshed one', () => {
    const all = tokens()
    const source = give(all, 'session:s expires:10')
    const now = 4 * SECOND
    const to = { account: 'alice', isMain: true, scope: 'expires:31536000', now, origin: null }
    const given = [all.fork(source, 'other', { now, origin: null }), all.exchange(source, to)]
    for (const each of given) {
      expect(each).toMatchObject({ until: source.until, seconds: 6 })
      expect(each?.scope).toContain('expires:6')
      expect(all.refresh(each as Grant, now, null).seconds).toBeLessThanOrEqual(10)
    }
    const shorter = all.exchange(source, { ...to, scope: 'expires:2' })
    expect(shorter).toMatchObject({ until: 6 * SECOND, seconds: 2 })
  })

  const narrow = areasOf(['trade:read', 'account:read'])
  test.each([
    ['all', '', narrow],
    ['more', 'trade:read_write wallet:read_write', areasOf(['trade:read'])],
    ['less', 'account:none trade:read', areasOf(['trade:read'])],
  ])('B4 D9 an exchanged token that asks for %s allows no more than its source', (_what, scope, areas) => {
    const all = tokens()
    const source = give(all, 'trade:read account:read session:s')
    const to = { account: 'sub', isMain: false, scope, now: 0, origin: null }
    const grant = all.exchange(source, to)
    expect(grant).toMatchObject({ account: 'sub', isMain: false, session: 's' })
    expect(grant?.areas).toEqual(areas)
  })

  test('B4 D9 a token of a subaccount gives access neither to its main account nor to another one', () => {
    const all = tokens()
    const main = give(all, '')
    const sub = all.exchange(main, {
      account: 'sub',
      isMain: false,
      scope: '',
      now: 0,
      origin: null,
    }) as Grant
    const ofKey = give(all, '', key('sub', { isMain: false }))
    for (const source of [sub, ofKey]) {
      const to = { isMain: true, scope: '', now: 0, origin: null }
      expect(all.exchange(source, { ...to, account: 'alice' })).toBeNull()
      expect(all.exchange(source, { ...to, account: 'other', isMain: false })).toBeNull()
      expect(all.exchange(source, { ...to, account: 'sub' })).toMatchObject({ isMain: false })
    }
  })

  test('B4 an exchanged token keeps the address and the connection of its source', () => {
    const all = tokens()
    const to = { account: 'alice', isMain: true, now: 0, origin: null }
    const source = all.give(key('alice'), 'ip:203.0.113.7', 0, 5)
    for (const scope of ['', 'ip:*', 'ip:127.0.0.1', 'session:s']) {
      const grant = all.exchange(source, { ...to, scope })
      expect(grant).toMatchObject({ ip: '203.0.113.7', connection: 5, session: null })
    }
    all.endConnection(5)
    expect(all.size).toBe(0)
    const open = give(all, 'ip:*')
    expect(all.exchange(open, { ...to, scope: 'ip:127.0.0.1' })).toMatchObject({ ip: '127.0.0.1' })
  })

  test('B4 a token of a key that was removed or changed is refused', async () => {
    const control = await client('sim')
    const trader = await client()
    const { access_token } = pairOf(await trader.authenticate('alice/desk', 'session:s'))
    expect(await trader.ask('private/get_positions', { access_token })).toHaveProperty('result')
    const desk = { account: 'alice', name: 'desk', scopes: ['trade:read'] }
    expect(await control.ask('sim/create_key', desk)).toMatchObject({ result: 'ok' })
    for (const params of [{}, { access_token }]) {
      expect(await trader.ask('private/get_positions', params)).toMatchObject({
        error: { code: 13009 },
      })
    }
    const { scope } = pairOf(await trader.authenticate('alice/desk'))
    expect(scope).toContain('trade:read ')
  })
})

describe('signatures', () => {
  const clocks = { market: Date.parse('2026-01-05T09:00:00Z'), machine: 1_800_000_000_000 }
  const signed = (by: Key, nonce: string, at: number): Parameters<Signatures['accept']>[1] => {
    const timestamp = String(at)
    const text = `${timestamp}\n${nonce}\n`
    const signature = createHmac('sha256', by.secret).update(text).digest('hex')
    return { timestamp, nonce, rest: '', signature }
  }

  test('B2 signature.once: a signature without a nonce, or with a nonce that is too long, is refused', () => {
    const all = new Signatures()
    for (const nonce of ['', 'x'.repeat(129)]) {
      expect(all.accept(key('alice'), signed(key('alice'), nonce, clocks.machine), clocks)).toBe(false)
    }
    const longest = signed(key('alice'), 'x'.repeat(128), clocks.machine)
    expect(all.accept(key('alice'), longest, clocks)).toBe(true)
  })

  test.each(['market', 'machine'] as const)(
    'B2 a signature is valid once while the clock of the %s accepts it',
    (name) => {
      const all = new Signatures()
      const once = signed(key('alice'), 'n', clocks[name])
      for (const [distance, isGood] of [
        [-60_001, false],
        [60_001, false],
        [60_000, true],
        [-60_000, false],
        [0, false],
      ] as const) {
        const now = { ...clocks, [name]: clocks[name] + distance }
        expect(all.accept(key('alice'), once, now)).toBe(isGood)
      }
      // Hours of the other clock do not make it valid again, and neither does a restored market.
      const other = name === 'market' ? 'machine' : 'market'
      const late = { ...clocks, [other]: clocks[other] + 86_400_000 }
      expect(all.accept(key('alice'), once, late)).toBe(false)
      const beyond = { ...clocks, [name]: clocks[name] + 600_000 }
      expect(all.accept(key('alice'), signed(key('alice'), 'o', beyond[name]), beyond)).toBe(true)
      expect(all.accept(key('alice'), once, clocks)).toBe(false)
    },
  )

  test('D11 a nonce of one key can be used with all others', () => {
    const all = new Signatures()
    for (const id of ['alice', 'bob', 'alice/desk']) {
      const each = key(id)
      expect(all.accept(each, signed(each, 'n', clocks.market), clocks)).toBe(true)
      expect(all.accept(each, signed(each, 'n', clocks.market + 1), clocks)).toBe(false)
    }
  })

  test('B2 signatures that were forgotten because there are too many are refused by their time', () => {
    const all = new Signatures(100)
    const by = key('alice')
    const use = (nonce: string, now: typeof clocks): boolean => all.accept(by, signed(by, nonce, now.market), now)
    for (let count = 0; count < 100; count += 1) use(`n${count}`, clocks)
    // None has expired yet.
    expect(use('more', clocks)).toBe(false)
    const later = { ...clocks, market: clocks.market + 60_001 }
    expect(use('more', later)).toBe(true)
    expect(all.accept(by, signed(by, 'n0', clocks.market), clocks)).toBe(false)
    expect(use('less', later)).toBe(true)
  })

  test('B2 over HTTP and sockets a request cannot be replayed, even hours of real time later', async () => {
    const stamp = String(Date.parse(venue.now()))
    const uri = '/api/v2/private/get_open_orders'
    const header = (nonce: string, at = stamp): string => {
      const text = `${at}\n${nonce}\nGET\n${uri}\n\n`
      const sig = createHmac('sha256', 'alice-secret').update(text).digest('hex')
      return `deri-hmac-sha256 id=alice,ts=${at},nonce=${nonce},sig=${sig}`
    }
    const status = async (authorization: string): Promise<number> =>
      (await fetch(`${venue.url}/private/get_open_orders`, { headers: { authorization } })).status
    expect(await status(header('a'))).toBe(200)
    expect(await status(header('a'))).toBe(401)
    expect(await status(header(''))).toBe(401)
    const socket = await client()
    const auth = (nonce?: string): Promise<Heard> => {
      const text = `${stamp}\n${nonce ?? ''}\n`
      return socket.ask('public/auth', {
        ...{ grant_type: 'client_signature', client_id: 'alice', timestamp: Number(stamp) },
        ...(nonce === undefined ? {} : { nonce }),
        signature: createHmac('sha256', 'alice-secret').update(text).digest('hex'),
      })
    }
    expect(await auth('b')).toHaveProperty('result')
    expect(await auth('b')).toMatchObject({ error: { code: 13004 } })
    const refused = { error: { code: 13004, data: { reason: 'nonce_required', param: 'nonce' } } }
    expect(await auth()).toMatchObject(refused)
    // A forked market has the same keys, so nonces count as used there too.
    await venue.fork('signed')
    const forked = venue.url.replace('/api/', '/forks/signed/api/')
    const headers = { authorization: header('a') }
    expect((await fetch(`${forked}/private/get_open_orders`, { headers })).status).toBe(401)
  })
})

describe('secrets of the exchange', () => {
  const timestamp = Date.parse('2026-01-05T09:00:00Z')
  const block = {
    ...{ timestamp, nonce: 'agreed' },
    trades: [
      {
        ...{ instrument_name: 'BTC-PERPETUAL', direction: 'buy' },
        ...{ price: 100_000, amount: 200_000 },
      },
    ],
  }

  test('B1 server.sealed-secrets: a block signature is valid only with the seal of this server', async () => {
    const [maker, taker] = [await client('alice'), await client('bob')]
    const asked = await maker.ask('private/verify_block_trade', { ...block, role: 'maker' })
    const { signature } = asked.result as { readonly signature: string }
    const again = await maker.ask('private/verify_block_trade', { ...block, role: 'maker' })
    expect(again.result).toEqual({ signature })
    const execute = (counterparty_signature: string): Promise<Heard> =>
      taker.ask('private/execute_block_trade', {
        ...{ ...block, role: 'taker', counterparty_signature },
      })
    // The exchange's internal signature follows from its seed; the server refuses it.
    const inner = signature.slice(0, -43)
    for (const wrong of [inner, `${inner}${'A'.repeat(43)}`, '', signature.toLowerCase()]) {
      expect(await execute(wrong)).toMatchObject({
        error: { data: { reason: 'invalid_signature', param: 'counterparty_signature' } },
      })
    }
    expect(await execute(signature)).toMatchObject({ result: { trades: [{}] } })
    expect(await maker.ask('private/invalidate_block_trade_signature', { signature })).toMatchObject({
      error: { message: 'already_closed' },
    })
  })

  test('B1 credentials of direct access open sessions, and are in no journal', async () => {
    const control = await client('sim')
    const credential = { client_id: 'A1', secret: 'told-to-the-server' }
    const set = (secret: string): Promise<Heard> =>
      control.ask('sim/direct/set_credential', { ...credential, account: 'ann', secret })
    const logon = (words: object): Promise<Heard> =>
      control.ask('sim/direct/logon', { session: 5000, gateway: 'ETH_A', ...words })
    expect(await set('')).toMatchObject({ error: { data: { param: 'secret' } } })
    expect(await set('x'.repeat(49))).toMatchObject({ error: { data: { param: 'secret' } } })
    expect(await set(credential.secret)).toMatchObject({ result: 'ok' })
    const bad = { error: { message: 'bad credentials' } }
    expect(await logon({ ...credential, secret: 'guessed-secret' })).toMatchObject(bad)
    expect(await logon(credential)).toMatchObject({ result: { message: 'LogonResponse' } })
    // Credentials of the scenario open a session with their written secret.
    const declared = { session: 5001, client_id: 'S1', secret: 'of-the-scenario' }
    expect(await logon({ ...declared, secret: 'guessed-secret' })).toMatchObject(bad)
    expect(await logon(declared)).toMatchObject({ result: { message: 'LogonResponse' } })
  })

  test('B1 the placeholder of a credential in a journal opens nothing', () => {
    const seals = new Seals()
    const of = { clientId: 'A1', secret: 'told', known: undefined }
    const known = seals.credential(of.clientId, of.secret, of.known)
    expect(seals.credential(of.clientId, of.secret, known)).toBe(known)
    expect(seals.credential('A1', known, known)).not.toBe(known)
    expect(seals.credential('A2', of.secret, of.known)).not.toBe(known)
    expect(new Seals().credential(of.clientId, of.secret, of.known)).not.toBe(known)
  })

  test('B1 the journal of the session contains no secret, and runs again to its digest without any', async () => {
    const closed = await venue.close()
    if (!closed.ok) throw new Error(closed.error.lines.join())
    const file = join(out, 'journal.jsonl')
    const again = await runFile(file)
    expect(again.ok && again.value.digest).toBe(closed.value.digest)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/told-to-the-server|guessed-secret|alice-secret|bob-secret/)
    const used = /"counterparty_signature":"([^"]*)"/g
    const lengths = [...text.matchAll(used)].map(([, signature = '']) => signature.length)
    // Invalid signatures are hidden; the valid one is stored without its seal.
    expect(lengths).toEqual([3, 3, 3, 3, 13 + 1 + 8 + 1 + 43])
  })
})
