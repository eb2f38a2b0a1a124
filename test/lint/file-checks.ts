/**
 * Checks the shape of files and folders: names, opening docstring, and files that comments name.
 * Every check is a pure function over texts and returns one line per mistake.
 */

import { commentsOf, parseSource, type Sources } from './sources.ts'

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

/** Files that guides name as code and that do not exist; a name with folders must be the end of a path. */
export function missingFilesOfGuides(guides: Sources, paths: readonly string[]): string[] {
  return [...guides].flatMap(([guide, text]) =>
    [...text.matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, name = '']) => {
      const isThere = paths.some((path) => path === name || path.endsWith(`/${name}`))
      return isThere ? [] : [`${guide}: expected a file that exists, found \`${name}\``]
    }),
  )
}

/**
 * Files that comments name as code, such as `fees.ts`, but that do not exist or are the file of the comment itself. A
 * name with folders must be the end of a path; a test is named by its whole path.
 */
export function staleFileNames(sources: Sources, tests: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    for (const comment of commentsOf(parseSource(path, text))) {
      for (const match of comment.text.matchAll(/`([\w./-]+\.ts)`/g)) {
        const [, name = ''] = match
        const others = [...sources.keys()].filter((other) => other === name || other.endsWith(`/${name}`))
        if (tests.has(name) || others.some((other) => other !== path)) continue
        const line = comment.line + comment.text.slice(0, match.index).split('\n').length - 1
        const found = others.length === 0 ? 'a file that does not exist' : 'the file itself'
        mistakes.push(`${path}:${line}: expected another file, found \`${name}\`, ${found}`)
      }
    }
  }
  return mistakes
}
