/**
 * A server in a separate process, so that a test can measure its memory and kill it: `fork(this, [OPTIONS])`, with the
 * options of `createServer` as JSON. It sends `{ ready }` when it listens, and answers the messages `heap`, `now` and
 * `close`.
 */
import { createServer } from '../../dist/src/node.js'

const opened = await createServer(JSON.parse(process.argv[2] ?? '{}'))
if (!opened.ok) throw new Error(opened.error.lines.join('\n'))
const server = opened.value
const tell = (message) => process.send?.(message)

function bytesInUse() {
  for (let each = 0; each < 3; each += 1) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}

process.on('message', (message) => {
  if (message === 'heap') tell({ heap: bytesInUse() })
  else if (message === 'now') tell({ now: server.now() })
  else {
    server.close().then((closed) => {
      tell({ closed: closed.ok ? closed.value.digest : closed.error.lines.join('\n') })
      process.disconnect()
    })
  }
})
const { port, url, socketUrl, gatewayUrl } = server
tell({ ready: { port, url, socketUrl, gatewayUrl } })
