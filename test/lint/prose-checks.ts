/**
 * Counts the idioms of `prose-idioms.ts` in the prose of guides, scenarios and code. Prose is text for people: the words of
 * guides without code, tables' cells, comments, and string literals of three words or more.
 */
import ts from 'typescript'
import { idioms } from './prose-idioms.ts'
import { commentsOf, lineAt, parseSource, type Sources, visitNodes } from './sources.ts'

/** Most idioms per 1,000 words of each kind of prose. */
export const proseLimits = {
  guides: 2,
  scenarios: 2,
  messages: 2,
  publicDocstrings: 2,
  comments: 2,
  tests: 2,
} as const

/** A paragraph, with the line at which it begins. */
export interface Paragraph {
  readonly line: number
  readonly text: string
}

/** An idiom in a text. */
export interface ProseHit {
  readonly path: string
  readonly line: number
  readonly found: string
  readonly instead: string
}

/** The prose of some files. */
export interface ProseCount {
  readonly words: number
  readonly hits: readonly ProseHit[]
}

/** Counts words and idioms in the paragraphs of all files. */
export function countProse(paragraphs: ReadonlyMap<string, readonly Paragraph[]>): ProseCount {
  let words = 0
  const hits: ProseHit[] = []
  for (const [path, list] of paragraphs) {
    for (const { line, text } of list) {
      const prose = withoutCode(text)
      words += prose.match(/[a-z]{2,}/gi)?.length ?? 0
      for (const { pattern, instead } of idioms) {
        for (const [found] of prose.matchAll(pattern)) hits.push({ path, line, found, instead })
      }
    }
  }
  return { words, hits }
}

/** Code spans and targets of links are no prose; an `x` keeps the sentence whole. */
function withoutCode(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'x').replaceAll(/\]\([^)]*\)/g, ']')
}

/** Idioms beyond a limit per 1,000 words: a line for the rate, and one for each hit. Any text may have one hit. */
export function proseFaults(kind: string, { words, hits }: ProseCount, limit: number): string[] {
  if (hits.length <= Math.max(1, (words * limit) / 1_000)) return []
  const rate = ((hits.length * 1_000) / words).toFixed(2)
  const lines = hits.map(({ path, line, found, instead }) => `${path}:${line}: "${found.trim()}"; write ${instead}`)
  return [`${kind}: expected at most ${limit} idioms per 1,000 words, found ${rate}`, ...lines]
}

/** The paragraphs of every file, by a reader of one kind of text. */
export function paragraphsIn(
  sources: Sources,
  read: (path: string, text: string) => readonly Paragraph[],
): ReadonlyMap<string, readonly Paragraph[]> {
  return new Map([...sources].map(([path, text]) => [path, read(path, text)]))
}

/** The prose of a guide: paragraphs, items, headings and cells, without code and generated parts. */
export function guideParagraphs(_path: string, text: string): readonly Paragraph[] {
  const out = new ParagraphList()
  let isCode = false
  let isGenerated = false
  for (const [at, line] of text.split('\n').entries()) {
    const isFence = /^\s*```/.test(line)
    if (isFence) isCode = !isCode
    if (line.startsWith('<!-- generated')) isGenerated = true
    if (isFence || isCode || isGenerated || /^\s*(?:<!--.*)?$/.test(line)) out.end()
    else if (/^\s*\|/.test(line)) {
      for (const cell of line.split('|')) out.whole(at + 1, cell)
    } else {
      const item = /^\s*(?:[-*]|\d+\.|#+)\s/.exec(line)?.[0]
      if (item !== undefined) out.end()
      out.add(at + 1, line.slice(item?.length ?? 0))
    }
    if (line.startsWith('<!-- end')) isGenerated = false
  }
  return out.done()
}

/** The prose of a scenario: its comments, title and sentences. */
export function scenarioParagraphs(_path: string, text: string): readonly Paragraph[] {
  const out = new ParagraphList()
  for (const [at, line] of text.split('\n').entries()) {
    const field = /^\s*(?:title|says|description):\s(.*)$/.exec(line)?.[1]
    const comment = /(?:^|\s)#\s(.*)$/.exec(line)?.[1]
    if (field !== undefined) out.whole(at + 1, field)
    else if (comment !== undefined) out.add(at + 1, comment)
    else out.end()
  }
  return out.done()
}

/** The comments of a file of code, without examples. */
export function commentParagraphs(path: string, text: string): readonly Paragraph[] {
  const out = new ParagraphList()
  let last = 0
  for (const { text: comment, line } of commentsOf(parseSource(path, text))) {
    const isLine = comment.startsWith('//')
    if (!isLine || line !== last + 1) out.end()
    last = line
    addComment(out, line, comment)
    if (!isLine) out.end()
  }
  return out.done()
}

/** The paragraphs of one comment, with its marks or without them. */
export function addComment(out: ParagraphList, line: number, comment: string): void {
  const said = comment.replace(/\*\/\s*$/, '').replace(/@example[\s\S]*?(?=\n\s*\*?\s*@|$)/, '')
  for (const [at, raw] of said.split('\n').entries()) {
    const words = raw.replace(/^\s*(?:\/\*\*?|\*|\/\/)?\s?/, '').replaceAll(/@\w+/g, '.')
    if (words.trim() === '') out.end()
    else {
      if (/^\s*- /.test(words)) out.end()
      out.add(line + at, words.replace(/^\s*- /, ''))
    }
  }
}

/** The docstrings of a declaration that an entry point exports, and of its visible members. */
export function docstringParagraphs({ declarations = [] }: ts.Symbol): readonly Paragraph[] {
  const out = new ParagraphList()
  const seen = new Set<ts.Node>()
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isCallExpression(node) || isPrivate(node)) return
    for (const doc of ts.getJSDocCommentsAndTags(node)) {
      if (seen.has(doc) || !ts.isJSDoc(doc)) continue
      seen.add(doc)
      const file = doc.getSourceFile()
      addComment(out, lineAt(file, doc.pos), file.text.slice(doc.pos, doc.end))
      out.end()
    }
    ts.forEachChild(node, visit)
  }
  for (const declaration of declarations) visit(declaration)
  return out.done()
}

function isPrivate(node: ts.Node): boolean {
  return ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)
}

/** Texts of three words or more in a file of code: messages, titles, sentences of declarations. */
export function messageParagraphs(path: string, text: string): readonly Paragraph[] {
  const out = new ParagraphList()
  const file = parseSource(path, text)
  visitNodes(file, (node) => {
    const said = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x')
        : ''
    if (/\S\s+\S+\s+\S/.test(said)) out.whole(lineAt(file, node.getStart(file)), said)
  })
  return out.done()
}

/** Collects the lines of paragraphs. */
export class ParagraphList {
  readonly #paragraphs: Paragraph[] = []
  #lines: string[] = []
  #line = 0

  /** Adds a line to the open paragraph. */
  add(line: number, text: string): void {
    if (this.#lines.length === 0) this.#line = line
    this.#lines.push(text.trim())
  }

  /** Ends the open paragraph. */
  end(): void {
    if (this.#lines.length > 0) {
      this.#paragraphs.push({ line: this.#line, text: this.#lines.join(' ') })
    }
    this.#lines = []
  }

  /** Adds a paragraph of one line. */
  whole(line: number, text: string): void {
    this.end()
    this.add(line, text)
    this.end()
  }

  /** All paragraphs. */
  done(): readonly Paragraph[] {
    this.end()
    return this.#paragraphs
  }
}
