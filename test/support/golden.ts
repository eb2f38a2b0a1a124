/**
 * Golden files: published or observed facts. They are stored with the recorded feeds, outside the repository, and only
 * the tests of `test/recorded` read them.
 */
import { readFileSync } from 'node:fs'
import { recordedFile } from './recorded-feeds.ts'

/** A golden file's content. */
// biome-ignore lint/suspicious/noExplicitAny: each file has a shape of its own, which its test knows.
export function goldenFile(name: string): any {
  return JSON.parse(readFileSync(recordedFile('golden', name), 'utf8'))
}
