/**
 * Checks the shape of files and folders: names, opening docstring, lines of code, files per folder.
 * Every check is a pure function over texts and returns one line per mistake.
 */

import { codeLineCount, parseSource, type Sources } from './sources.ts'

export const linesPerFileMax = 400
export const linesPerFileSmell = 300
const filesPerFolderMax = 10

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const homelessWords = /^(?:utils?|helpers?|common|managers?|misc)$/

export function badFileNames(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const path of sources.keys()) {
    const parts = path.split(/[/.]/)
    const odd = parts.find((part) => !kebabCase.test(part))
    if (odd !== undefined) mistakes.push(`${path}: expected kebab-case, found ${odd}`)
    const homeless = parts
      .flatMap((part) => part.split('-'))
      .find((word) => homelessWords.test(word))
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

export function filesLongerThan(lines: number, sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    const count = codeLineCount(parseSource(path, text))
    if (count > lines)
      mistakes.push(`${path}: expected at most ${lines} lines of code, found ${count}`)
  }
  return mistakes
}

/** The face of a folder does not count. */
export function crowdedFolders(sources: Sources): string[] {
  const filesByFolder = new Map<string, number>()
  for (const path of sources.keys()) {
    if (path.endsWith('/index.ts')) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    filesByFolder.set(folder, (filesByFolder.get(folder) ?? 0) + 1)
  }
  return [...filesByFolder]
    .filter(([, count]) => count > filesPerFolderMax)
    .map(
      ([folder, count]) => `${folder}: expected at most ${filesPerFolderMax} files, found ${count}`,
    )
}
