/** `/openrpc.json`: the document describes the server that serves it, and the server keeps to it. */
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { createServer, type InterfaceDocument, type Server } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const scenario = {
  version: 1,
  title: 'A market that tells its interface',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } } },
}

/** Opens a server, passes it to a function and closes it. */
async function withServer(
  options: { readonly clock?: string; readonly sim?: boolean },
  use: (server: Server) => Promise<void>,
): Promise<void> {
  const opened = await createServer({ scenario, ...options })
  if (!opened.ok) throw new Error(opened.error.lines.join('\n'))
  try {
    await use(opened.value)
  } finally {
    await opened.value.close()
  }
}

async function documentOf({ port }: Server): Promise<InterfaceDocument> {
  const response = await fetch(`http://127.0.0.1:${port}/openrpc.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return (await response.json()) as InterfaceDocument
}

/** Schemas that a document references but does not contain. */
function missing(document: InterfaceDocument): readonly string[] {
  const { schemas } = document.components
  const named = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return [...named].map(([, name = '']) => name).filter((name) => schemas[name] === undefined)
}

describe('/openrpc.json', () => {
  test('the document of a server with the controls contains them', async () => {
    await withServer({ clock: 'stepped' }, async (server) => {
      const document = await documentOf(server)
      const names = document.methods.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['private/buy', 'sim/advance']))
      expect(document.servers).toEqual([{ name: 'this server', url: `http://127.0.0.1:${server.port}/api/v2` }])
      expect(document['x-pitclock-gateways'].url).toBe(`http://127.0.0.1:${server.port}/gateways/{gateway}/api/v2`)
      expect(missing(document)).toEqual([])
    })
  })

  test('without controls it contains neither them nor the schemas of their results', async () => {
    await withServer({ clock: 'wall' }, async (server) => {
      const document = await documentOf(server)
      const names = document.methods.map(({ name }) => name)
      expect(names).toContain('private/buy')
      expect(names.filter((name) => name.startsWith('sim/'))).toEqual([])
      expect(missing(document)).toEqual([])
      const { schemas } = document.components
      expect(Object.keys(schemas)).toContain('WireOrder')
      expect(Object.keys(schemas)).not.toContain('NewOrderResponse')
    })
    await withServer({ clock: 'wall', sim: true }, async (server) => {
      const { methods } = await documentOf(server)
      expect(methods.map(({ name }) => name)).toContain('sim/advance')
    })
  })

  test('JSON-RPC answers no method outside the document, which lists those of gateways separately', async () => {
    await withServer({ clock: 'stepped' }, async (server) => {
      const document = await documentOf(server)
      const names = document.methods.map(({ name }) => name)
      expect(names).not.toContain('private/lock_portfolio')
      const ofGateways = document['x-pitclock-gateways'].methods.map(({ name }) => name)
      expect(ofGateways).toContain('private/lock_portfolio')
    })
  })
})

test('answers of a connection match the document of its server', async () => {
  await withServer({ clock: 'stepped' }, async (server) => {
    const document = await documentOf(server)
    const ajv = new Ajv({ strict: false })
    const definitions = document.components.schemas
    const text = JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/definitions/')
    const socket = await SocketClient.open(server.socketUrl)
    const asked: string[] = []
    const ask = async (method: string, params: object = {}): Promise<unknown> => {
      const answer = await socket.ask(method, params)
      expect(answer.error).toBeUndefined()
      const schema = document.methods.find(({ name }) => name === method)?.result.schema
      const own = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/')
      const validate = ajv.compile({ ...JSON.parse(own), definitions: JSON.parse(text) })
      expect(validate(answer.result) ? [] : [method, validate.errors]).toEqual([])
      asked.push(method)
      return answer.result
    }
    const secret = { client_id: 'alice', client_secret: 'alice-secret' }
    const named = { scope: 'session:desk', grant_type: 'client_credentials' }
    const pair = (await ask('public/auth', { ...named, ...secret })) as { refresh_token: string }
    const { refresh_token } = pair
    await ask('public/fork_token', { refresh_token, session_name: 'second' })
    await ask('public/hello', { client_name: 'test', client_version: '1' })
    await ask('public/test')
    await ask('public/set_heartbeat', { interval: 30 })
    await ask('public/disable_heartbeat')
    const channels = { channels: ['ticker.BTC-PERPETUAL.100ms'] }
    for (const scope of ['public', 'private']) {
      await ask(`${scope}/subscribe`, channels)
      await ask(`${scope}/unsubscribe`, channels)
      await ask(`${scope}/unsubscribe_all`)
    }
    const subject = await socket.ask('private/create_subaccount')
    expect(subject.error).toBeUndefined()
    const { id } = subject.result as { readonly id: number }
    await ask('public/exchange_token', { refresh_token, subject_id: id })
    const { error } = await socket.authenticate('sim')
    expect(error).toBeUndefined()
    await ask('sim/fork', { name: 'second' })
    socket.socket.close()
    expect(asked.length).toBe(14)
  })
})
