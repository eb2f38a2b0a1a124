/** The built program as a server, started by a test. */
import { type Begun, begin } from './built-program.ts'

/** The fields of the `--ready-json` line. */
export interface Ready {
  readonly version: number
  readonly port: number
  readonly url: string
  readonly socket_url: string
  readonly clock: string
  readonly time: string
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
}

/** Starts a server on a free port and waits until it listens. */
export async function serve(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Begun & { readonly ready: Ready }> {
  const begun = begin(['serve', '--port', '0', '--ready-json', ...args], more)
  let text = ''
  const line = new Promise<string>((resolve) => {
    begun.child.stdout?.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\n')) resolve(text)
    })
  })
  const first = await Promise.race([line, begun.ended])
  if (typeof first !== 'string') throw new Error(first.err)
  return { ...begun, ready: JSON.parse(first) as Ready }
}
