/**
 * A file of digests: for each scenario the digest its run must have on every machine.
 *
 * JSON: an object from the file's path, as it was named to the command, to the hexadecimal digest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const digestFile = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))

/** What differs between the digests of runs and those of the file, a line each; empty when nothing. */
export function checkDigests(
  path: string,
  digests: ReadonlyMap<string, string>,
): readonly string[] {
  let published: z.infer<typeof digestFile>
  try {
    published = digestFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? 'other data' : String((error as Error).message)
    return [`${path}: expected an object of digests by file, found ${why}`]
  }
  const wrong: string[] = []
  for (const [file, digest] of digests) {
    const expected = published[named(file)]
    if (expected === undefined) wrong.push(`${file}: no digest in ${path}, found ${digest}`)
    else if (expected !== digest)
      wrong.push(`${file}: expected digest ${expected}, found ${digest}`)
  }
  for (const file of Object.keys(published)) {
    if (![...digests.keys()].some((known) => named(known) === file)) {
      wrong.push(`${file}: has a digest in ${path} and was not run`)
    }
  }
  return wrong
}

/** Writes the digests, sorted by file. */
export function writeDigests(path: string, digests: ReadonlyMap<string, string>): void {
  const sorted = [...digests].map(([file, digest]) => [named(file), digest] as const)
  sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** One spelling on every system. */
function named(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '')
}
