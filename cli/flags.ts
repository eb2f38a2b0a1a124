/** Options that several commands have. */
import { misuse } from './output.ts'

/** Collects the values of a repeatable option. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Values set from outside, in the order in which they are applied: the seed comes last. */
export function settingsOf(set: readonly string[] = [], seed?: string): readonly string[] {
  return seed === undefined ? set : [...set, `seed=${seed}`]
}

/** Lists the words of a union in a help text, such as `a, b or c`. The type requires each word of the library. */
export function listed<Word extends string>(words: { readonly [W in Word]: true }): string {
  const names = Object.keys(words)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Returns a function that is true once the time of `--time` is over; null, with an error, if it cannot be read. */
export async function timeLimit(text: string): Promise<(() => boolean) | null> {
  const { parseDuration } = await import('../src/engine.ts')
  const parsed = parseDuration(text)
  if (!parsed.ok || parsed.value <= 0) {
    misuse({ path: '--time', expected: 'a duration such as 10m', found: text })
    return null
  }
  const end = performance.now() + parsed.value / 1000
  return () => performance.now() > end
}
