/**
 * Checks the shape of files and folders: names, opening docstring.
 * Every check is a pure function over texts and returns one line per mistake.
 */

import type { Sources } from './sources.ts'

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const homelessWords = /^(?:utils?|helpers?|common|managers?|misc)$/

export function badFileNames(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const path of sources.keys()) {
    const parts = path.split(/[/.]/)
    const odd = parts.find((part) => !kebabCase.test(part))
    if (odd !== undefined) mistakes.push(`${path}: expected kebab-case, found ${odd}`)
    const homeless = parts.flatMap((part) => part.split('-')).find((word) => homelessWords.test(word))
    if (homeless !== undefined) {
      mistakes.push(`${path}: expected a noun of the exchange, found ${homeless}`)
    }
  }
  return mistakes
}

export function filesWithoutDocstring(sources: Sources): string[] {
  return [...sources]
    .filter(([, text]) => !/^(?:#!.*\n)?\s*\/\*\*/.test(text))
    .map(([path]) => `${path}: expected a docstring at the top`)
}
