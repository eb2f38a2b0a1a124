/**
 * The mapping of CSV columns as a person gives it: JSON on the command line, or the name of a file.
 */
import { readFileSync } from 'node:fs'
import type { FeedColumns } from '../../src/index.ts'

/** The mapping, null where none is given, or what is wrong with it. */
export async function columnsOf(
  given: string | undefined,
): Promise<
  | { readonly ok: true; readonly columns: FeedColumns | null }
  | { readonly ok: false; readonly lines: readonly string[]; readonly isIo: boolean }
> {
  if (given === undefined) return { ok: true, columns: null }
  let text = given
  if (!given.trimStart().startsWith('{')) {
    try {
      text = readFileSync(given, 'utf8')
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return { ok: false, lines: [`--columns: ${error.message}`], isIo: true }
    }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    const lines = [`--columns: expected a JSON object or a file of one, found ${found}`]
    return { ok: false, lines, isIo: false }
  }
  const { feedColumnsSchema } = await import('../../src/index.ts')
  const parsed = feedColumnsSchema.safeParse(value)
  if (parsed.success) return { ok: true, columns: parsed.data }
  const lines = parsed.error.issues.map(
    ({ path, message }) => `--columns: ${[...path.map(String), message].join(': ')}`,
  )
  return { ok: false, lines, isIo: false }
}
