/**
 * Creates elements of the page without interpreting markup in texts, so that a name from a run can never become a part
 * of the page.
 */

/** Attributes of an element; undefined ones are omitted. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A child of an element; null is skipped. */
export type Child = Node | string | null

/** A table with more rows than this has a limited height. */
const LONG = 40
const hash = /^[0-9a-f]{64}$/

/** Makes an element. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(key, value === true ? '' : String(value))
  }
  made.append(...children.filter((child) => child !== null))
  return made
}

/** A table with a caption, heads and rows; numbers are right-aligned. */
export function tableOf(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
  rowHeads = false,
  numeric: readonly number[] = [],
): HTMLElement {
  const isNumber = new Set(numeric)
  const kind = (at: number, cell?: Child): string | undefined => {
    if (isNumber.has(at)) return 'number'
    return typeof cell === 'string' && hash.test(cell) ? 'hash' : undefined
  }
  const head = element('tr', {}, ...heads.map((text, at) => element('th', { scope: 'col', class: kind(at) }, text)))
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, at) =>
        rowHeads && at === 0 ? element('th', { scope: 'row' }, cell) : element('td', { class: kind(at, cell) }, cell),
      ),
    ),
  )
  const table = element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, head),
    element('tbody', {}, ...body),
  )
  // A wide or long table scrolls separately, also with the keyboard.
  const kindOfTable = rows.length > LONG ? 'scroll long' : 'scroll'
  return element('div', { class: kindOfTable, tabindex: 0, role: 'group', 'aria-label': caption }, table)
}

/** A part of the page with its heading. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const heading = `${id}-title`
  return element('section', { id, 'aria-labelledby': heading }, element('h2', { id: heading }, title), ...children)
}

/** A note in small print. */
export function note(text: string): HTMLElement {
  return element('p', { class: 'note' }, text)
}
