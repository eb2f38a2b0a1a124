/** Prints text for people on a terminal: colours, but no other control sequences. */
import { styleText } from 'node:util'

/** Colours a text for stdout or stderr if that is a terminal with colours. */
export function paint(
  style: 'bold' | 'dim' | 'red' | 'green' | 'yellow',
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return wantsColour(stream) ? styleText(style, text, { validateStream: false }) : text
}

const ESCAPE = String.fromCharCode(27)
/** The sequences that `paint` writes. */
const painted = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|32|33|39)m)`)
/** Control characters, and characters that reverse the direction of text, except newlines and tabs. */
const unprintable = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu

/** The text without control characters, which titles, labels and file names may contain. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '')
}

/** Prints a text for people. If the stream has colours, the sequences of `paint` are kept. */
export function print(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  const parts = wantsColour(stream) ? text.split(painted) : [text]
  stream.write(parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join(''))
}

function wantsColour(stream: NodeJS.WritableStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  return 'isTTY' in stream && stream.isTTY === true && TERM !== 'dumb'
}
