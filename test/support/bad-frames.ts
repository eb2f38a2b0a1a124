/**
 * Malformed frames and requests of every kind, mixed with correct ones: texts of envelopes, bytes of WebSocket frames
 * that break the protocol, and bytes of HTTP that end too early or never end.
 */
import type { RandomStream } from '../../src/core/index.ts'

/** A text for a WebSocket or a body. */
export interface BadText {
  readonly text: string
  /** The id of the one answer; null if the answer has no id. */
  readonly id: string | number | null
  /** True for a binary frame, which cannot carry a request. */
  readonly isBinary: boolean
}

const methods = [
  'public/get_time',
  'public/test',
  'public/ticker',
  'public/get_order_book',
  'public/get_instruments',
  'public/status',
  'private/get_positions',
  'private/get_open_orders',
  'private/get_account_summary',
  'private/buy',
  'private/sell',
  'private/edit',
  'private/cancel',
  'private/cancel_all',
  'private/get_access_log',
  'private/set_mmp_config',
  'private/create_block_rfq',
  'private/withdraw',
  'public/subscribe',
  'private/subscribe',
  'public/unsubscribe_all',
  'public/auth',
  'public/exchange_token',
  'sim/set_index',
  'sim/restore',
  'sim/log_access',
]
const strange = [
  'public/nothing',
  'private/',
  '/',
  '',
  'PUBLIC/GET_TIME',
  'constructor',
  '__proto__',
  'toString',
  'public/get_time\u0000',
  '../../etc/passwd',
  'sim/direct/new_order',
  '\ud800',
]
const names = [
  'instrument_name',
  'amount',
  'price',
  'currency',
  'type',
  'label',
  'order_id',
  'count',
  'depth',
  'index_name',
  'channels',
  'grant_type',
  'client_id',
  'client_secret',
  'access_token',
  'refresh_token',
  'scope',
  'legs',
  'account',
  'log',
  'interval',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x'.repeat(300),
  '',
]
const numbers = ['0', '-0', '1', '10', '-1', '0.1', '1e21', '1e308', '1e-320', '9007199254740993']

/** JSON of a random value; deep nesting is rare. */
function anyValue(random: RandomStream, depth = 0): string {
  switch (random.int(0, depth > 3 ? 7 : 10)) {
    case 0:
      return 'null'
    case 1:
      return random.pick(['true', 'false'])
    case 2:
      return random.pick(numbers)
    case 3:
    case 4:
      return JSON.stringify(random.pick(['BTC-PERPETUAL', 'BTC', 'btc_usd', 'limit', 'market', 'any']))
    case 5:
      return JSON.stringify(random.pick(['', '\ud800', '\u0000', '💥', 'a'.repeat(random.int(1, 400))]))
    case 6:
      return JSON.stringify(String(random.int(-5, 100_000)))
    case 7:
      return random.pick(['1e999', '-1e999', '1E+400'])
    case 8:
      return `[${Array.from({ length: random.int(0, 4) }, () => anyValue(random, depth + 1)).join(',')}]`
    default:
      return anyObject(random, depth + 1)
  }
}

function anyObject(random: RandomStream, depth = 0): string {
  const entries = Array.from(
    { length: random.int(0, 5) },
    () => `${JSON.stringify(random.pick(names))}:${anyValue(random, depth)}`,
  )
  return `{${entries.join(',')}}`
}

/** The parameters of an order that the server accepts. */
function orderOf(random: RandomStream): string {
  const price = 60_000 + random.int(-40, 40)
  return `{"instrument_name":"BTC-PERPETUAL","amount":${random.int(1, 9) * 10},"price":${price},"type":"limit"}`
}

/** A text for a frame or a body; `id` numbers it. */
export function badText(random: RandomStream, id: string): BadText {
  const valid = (text: string): BadText => ({ text, id, isBinary: false })
  const lost = (text: string): BadText => ({ text, id: null, isBinary: false })
  const of = JSON.stringify(id)
  const method = JSON.stringify(random.pick(methods))
  switch (random.int(0, 21)) {
    case 0:
    case 1:
    case 2:
      return valid(`{"jsonrpc":"2.0","id":${of},"method":${method},"params":${anyObject(random)}}`)
    case 3:
      return valid(`{"jsonrpc":"2.0","id":${of},"method":"public/get_time"}`)
    case 4: {
      const side = random.pick(['private/buy', 'private/sell'])
      return valid(`{"jsonrpc":"2.0","id":${of},"method":"${side}","params":${orderOf(random)}}`)
    }
    case 5:
      return valid(`{"id":${of},"method":${JSON.stringify(random.pick(strange))},"jsonrpc":"2.0"}`)
    case 6:
      return valid(`{"jsonrpc":"2.0","id":${of},"method":${anyValue(random, 2)},"params":{}}`)
    case 7:
      return valid(`{"jsonrpc":${anyValue(random, 2)},"id":${of},"method":${method}}`)
    case 8:
      return valid(`{"jsonrpc":"2.0","id":${of},"method":${method},"params":${anyValue(random, 4)}}`)
    case 9:
      return valid(`{"jsonrpc":"2.0","id":${of},"method":${method},"params":{"a":${nested(random)}}}`)
    case 10:
      return valid(`  {"jsonrpc":"2.0",\n"id":${of},"id":${of},"method":${method},"params":null}\t`)
    case 11:
      return lost(`{"jsonrpc":"2.0","method":${method},"params":{}}`)
    case 12:
      return lost(`{"jsonrpc":"2.0","id":${random.pick(['null', '{}', '[]', 'true', '1e999'])},"method":${method}}`)
    case 13:
      return lost(
        `[${Array.from({ length: random.int(0, 5) }, () => `{"jsonrpc":"2.0","id":1,"method":${method}}`).join(',')}]`,
      )
    case 14:
      return lost(random.pick(['7', 'null', '"text"', 'true', '-0', '[]', '[[[[]]]]']))
    case 15:
      return lost(cut(`{"jsonrpc":"2.0","id":${of},"method":${method},"params":{"a":1}}`, random))
    case 16:
      return lost(random.pick(['', ' ', '{', '}', '{]', "{'a':1}", '{"a":01}', 'NaN', '\u0000', '{"a":1,}']))
    case 17:
      return lost(`{"jsonrpc":"2.0","id":${of},"method":${method}} trailing`)
    case 18:
      // One in forty values is huge.
      return random.int(0, 40) === 0
        ? lost(`{"jsonrpc":"2.0","id":${of},"method":"${'x'.repeat(random.int(33_000, 200_000))}"}`)
        : lost(`{"jsonrpc":"2.0","id":${of},"method"`)
    case 19:
      return { ...lost(`{"jsonrpc":"2.0","id":${of},"method":${method}}`), isBinary: true }
    case 20:
      return lost('['.repeat(random.int(1, 3000)))
    default: {
      const number = Number(id.slice(1))
      return {
        text: `{"jsonrpc":"2.0","id":${number},"method":${method}}`,
        id: number,
        isBinary: false,
      }
    }
  }
}

function nested(random: RandomStream): string {
  const depth = random.int(1, 200)
  return random.int(0, 1) === 0
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

function cut(text: string, random: RandomStream): string {
  return text.slice(0, random.int(1, text.length - 1))
}

/** The path of a GET of a method, right or wrong. */
export function badPath(random: RandomStream): string {
  const method = random.int(0, 4) === 0 ? random.pick(strange) : random.pick(methods)
  const pairs = Array.from({ length: random.int(0, 5) }, () => {
    const name = encodeURIComponent(wellFormed(random.pick(names)))
    const value = wellFormed(anyValue(random))
    return random.pick([
      `${name}=${encodeURIComponent(value)}`,
      `${name}=${encodeURIComponent(value.replaceAll('"', ''))}`,
      `${name}=%zz`,
      `${name}=%c0%af`,
      `=${name}`,
      name,
      `${name}=1=2`,
    ])
  })
  const path = encodeURI(wellFormed(method)).replaceAll('#', '')
  return `/api/v2/${path}?${pairs.join('&')}`
}

/** Removes unpaired surrogates, which no address can contain. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString('utf8')
}

const upgrade =
  'GET /ws/api/v2 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** The bytes of a WebSocket frame as a client masks it; `head` is the first byte. */
function frame(head: number, payload: Buffer, isMasked = true): Buffer {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255]
  if (!isMasked) return Buffer.concat([Buffer.from([head, ...length]), payload])
  const [first = 0, ...rest] = length
  // A mask of zeros does not change the payload.
  return Buffer.concat([Buffer.from([head, first | 128, ...rest, 0, 0, 0, 0]), payload])
}

const okText = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"public/test"}')

/** Bytes that break a rule of WebSockets or of HTTP, so that the server must close the connection. */
export function badBytes(random: RandomStream): Buffer {
  const opened = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(upgrade), bytes])
  const http = (text: string): Buffer => Buffer.from(text, 'latin1')
  switch (random.int(0, 15)) {
    case 0: // Text that is not UTF-8.
      return opened(frame(0x81, Buffer.from([0xc3, 0x28, 0xff, 0xfe])))
    case 1: // A frame without a mask.
      return opened(frame(0x81, okText, false))
    case 2: // A reserved bit of an extension that was not negotiated.
      return opened(frame(0xc1, okText))
    case 3: // Unknown opcodes.
      return opened(frame(0x80 | random.pick([3, 4, 5, 6, 7, 11, 12, 15]), okText))
    case 4: // A fragmented ping.
      return opened(frame(0x09, okText))
    case 5: // A ping that is too long.
      return opened(frame(0x89, Buffer.alloc(126)))
    case 6: // A continuation without a first fragment.
      return opened(frame(0x80, okText))
    case 7: // A text message that begins before another has ended.
      return opened(Buffer.concat([frame(0x01, okText), frame(0x81, okText)]))
    case 8: // A length above the limit: 2^40 bytes.
      return opened(Buffer.from([0x81, 255, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    case 9: // A close frame of one byte, or with an unknown code.
      return opened(frame(0x88, Buffer.from(random.pick([[3], [3, 236], [0, 1]]))))
    case 10: // Bytes that are not HTTP.
      return Buffer.from(Array.from({ length: random.int(20, 200) }, () => random.int(0, 255)))
    case 11:
      return http(`GET /api/v2/public/get_time HTTP/9.9\r\nHost: x\r\n\r\n`)
    case 12:
      return http('POST /api/v2 HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}')
    case 13:
      return http('POST /api/v2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n')
    case 14:
      return http(`GET /api/v2/public/test HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)
    default:
      return http(`GET /ws/api/v2 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  }
}

/** Bytes that end before they form a request or a frame; then the client disconnects. */
export function cutBytes(random: RandomStream): Buffer {
  const whole = random.pick([
    Buffer.from(upgrade),
    Buffer.concat([Buffer.from(upgrade), frame(0x81, okText)]),
    Buffer.from(`POST /api/v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n${okText}`),
    Buffer.from('GET /api/v2/public/get_time HTTP/1.1\r\nHost: x\r\n\r\n'),
  ])
  return whole.subarray(0, random.int(1, whole.length - 1))
}
