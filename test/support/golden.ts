/**
 * Golden files: facts that were published or observed, beside the repository. Tests that need one are
 * skipped, and say so, where it is absent.
 */
import { existsSync, readFileSync } from 'node:fs'
import { recordedFile } from './recorded-feeds.ts'

/** A golden file's content, or undefined where it is absent. */
// biome-ignore lint/suspicious/noExplicitAny: each file has a shape of its own, which its test knows.
export function goldenFile(name: string): any {
  const path = recordedFile('golden', name)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  console.warn(`skipped: there is no ${path}`)
  return undefined
}
