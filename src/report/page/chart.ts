/**
 * A chart with its title, a legend with the values under the cursor, a summary for screen readers, its data as a table,
 * and control by keyboard.
 */
import uPlot from 'uplot'
import { element, tableOf } from './dom.ts'
import { formatCount, formatTime } from './format.ts'
import { lineRowAt, lineValueAt, sampled, summaryOf } from './lines.ts'
import { type ChartSpec, dataOf, isTimed, optionsOf, type Part, wholeOf } from './plot.ts'

/** Maximum number of rows in the table of a chart. */
const TABLE_ROWS = 60
/** Width of a printed chart. */
const PAPER_WIDTH = 690
const FEW_STEPS = 1
const MANY_STEPS = 20

/** A chart on the page. */
export class Chart {
  readonly spec: ChartSpec
  readonly root: HTMLElement
  readonly #canvas: HTMLElement
  readonly #readouts: readonly HTMLElement[]
  readonly #spoken: HTMLElement
  readonly #others: () => readonly Chart[]
  #plot: uPlot | null = null
  #data: uPlot.AlignedData | null = null
  #isLog = false
  /** The visible part of the time range while the chart is zoomed. */
  #zoom: Part | null = null

  constructor(spec: ChartSpec, others: () => readonly Chart[]) {
    this.spec = spec
    this.#others = others
    const all = [...spec.series, ...(spec.markers ?? [])]
    this.#readouts = all.map(() => element('span', { class: 'readout' }))
    this.#spoken = element('output', { class: 'unseen', 'aria-live': 'polite' })
    const summary = all.map(({ label, line }) => summaryOf(label, line, spec.format)).join(' ')
    this.#canvas = element('div', {
      class: 'canvas',
      role: 'img',
      tabindex: 0,
      'aria-label': `${spec.title}. ${isTimed(spec) ? summary : spec.about} Use the arrow keys to move along the chart, plus and minus to zoom, Escape to show all.`,
    })
    this.#canvas.style.minHeight = `${spec.height ?? 220}px`
    this.#canvas.addEventListener('keydown', (event) => this.#onKey(event))
    const keys = all.map((one, at) => {
      const kind = 'shape' in one ? one.shape : 'line'
      const swatch = element('span', { class: `swatch ${kind}`, 'aria-hidden': true })
      swatch.style.setProperty('--key', `var(--${one.colour})`)
      const dash = 'dash' in one ? (one.dash ?? []) : []
      if (dash.length > 0) {
        swatch.classList.add('dashed')
        swatch.style.background = `repeating-linear-gradient(90deg, ${stopsOf(dash).join(', ')})`
      }
      return element('span', { class: 'key' }, swatch, one.label, this.#readouts[at] ?? null)
    })
    this.root = element(
      'figure',
      { class: 'chart', id: spec.id },
      element(
        'figcaption',
        {},
        element('h3', {}, spec.title),
        element('p', { class: 'about' }, spec.about),
        element('div', { class: 'keys' }, ...keys, ...this.#buttons()),
      ),
      this.#canvas,
      this.#spoken,
      this.#tableParts(),
    )
  }

  /** Draws the chart again, with the current colours and width. */
  draw(isPaper = false): void {
    const width = isPaper ? PAPER_WIDTH : this.#canvas.clientWidth
    if (width === 0) return
    this.#plot?.destroy()
    this.#data ??= dataOf(this.spec)
    const options = optionsOf(this.spec, {
      width,
      isLog: this.#isLog,
      onCursor: (plot) => this.#show(plot.cursor.idx ?? null, plot),
      onZoom: (plot) => this.#onZoom(plot),
      onReset: () => this.#showAll(),
    })
    this.#plot = new uPlot(options, this.#data, this.#canvas)
    this.#plot.setScale('x', this.#zoom ?? wholeOf(this.spec))
  }

  /** Fits the chart to its current width. */
  resize(): void {
    const width = this.#canvas.clientWidth
    const { height = 220 } = this.spec
    if (width > 0 && this.#plot !== null && width !== this.#plot.width) {
      this.#plot.setSize({ width, height })
    }
  }

  /** Shows a part of the time range. */
  zoomTo(part: Part): void {
    const { min, max } = this.#plot?.scales['x'] ?? {}
    if (min === part.min && max === part.max) return
    this.#plot?.setScale('x', part)
  }

  /** Removes the drawing. */
  destroy(): void {
    this.#plot?.destroy()
    this.#plot = null
  }

  #buttons(): readonly HTMLElement[] {
    const buttons: HTMLElement[] = []
    if (this.spec.canLog === true) {
      const log = element('button', { type: 'button', 'aria-pressed': 'false' }, 'log scale')
      log.addEventListener('click', () => {
        this.#isLog = !this.#isLog
        log.setAttribute('aria-pressed', String(this.#isLog))
        this.draw()
      })
      buttons.push(log)
    }
    if (isTimed(this.spec)) {
      const all = element('button', { type: 'button', class: 'all' }, 'show all')
      all.addEventListener('click', () => this.#showAll())
      buttons.push(all)
    }
    return buttons
  }

  #onZoom(plot: uPlot): void {
    const { span } = this.spec
    const { min, max } = plot.scales['x'] ?? {}
    if (span === undefined || typeof min !== 'number' || typeof max !== 'number') return
    const isWhole = min <= span.min && max >= span.max
    this.#zoom = isWhole ? null : { min, max }
    this.root.classList.toggle('zoomed', !isWhole)
    this.#spread({ min, max })
  }

  #spread(part: Part): void {
    for (const other of this.#others()) {
      if (other !== this && isTimed(other.spec)) other.zoomTo(part)
    }
  }

  #showAll(): void {
    this.#plot?.setScale('x', wholeOf(this.spec))
  }

  #onKey(event: KeyboardEvent): void {
    const plot = this.#plot
    if (plot === null || event.ctrlKey || event.metaKey || event.altKey) return
    const [times] = plot.data
    const steps = event.shiftKey ? MANY_STEPS : FEW_STEPS
    const { min = 0, max = 0 } = plot.scales['x'] ?? {}
    const first = lineRowAt(times, (min ?? 0) - 1e-9) + 1
    const last = lineRowAt(times, max ?? 0)
    const now = plot.cursor.idx ?? first - 1
    const rows: Readonly<Record<string, number>> = {
      ArrowRight: Math.max(first, now + steps),
      ArrowLeft: now - steps,
      Home: first,
      End: last,
    }
    const row = rows[event.key]
    if (row !== undefined) {
      const at = Math.min(last, Math.max(first, row))
      plot.setCursor({ left: plot.valToPos(times[at] ?? 0, 'x'), top: 10 })
      this.#spoken.textContent = this.#words(at, plot)
    } else if (event.key === '+' || event.key === '-') this.#zoomBy(event.key === '+' ? 0.5 : 2)
    else if (event.key === 'Escape') this.#showAll()
    else return
    event.preventDefault()
  }

  #zoomBy(part: number): void {
    const plot = this.#plot
    const { min, max } = plot?.scales['x'] ?? {}
    const { span } = this.spec
    if (plot === null || span === undefined) return
    if (typeof min !== 'number' || typeof max !== 'number') return
    const middle = plot.data[0][plot.cursor.idx ?? -1] ?? (min + max) / 2
    const half = ((max - min) / 2) * part
    plot.setScale('x', {
      min: Math.max(span.min, middle - half),
      max: Math.min(span.max, middle + half),
    })
  }

  /** Shows the values under the cursor in the legend. */
  #show(row: number | null, plot: uPlot): void {
    const x = row === null ? undefined : plot.data[0][row]
    const { series, markers = [], format } = this.spec
    for (const [at, { line }] of [...series, ...markers].entries()) {
      const readout = this.#readouts[at]
      if (readout === undefined) continue
      const value = x === undefined ? Number.NaN : lineValueAt(line, x)
      readout.textContent = Number.isNaN(value) ? '' : format(value)
    }
  }

  #words(row: number, plot: uPlot): string {
    const x = plot.data[0][row] ?? 0
    const { series, format } = this.spec
    const values = series.map(({ label, line }) => {
      const value = lineValueAt(line, x)
      return `${label} ${Number.isNaN(value) ? 'none' : format(value)}`
    })
    return `${this.#label(x)}: ${values.join(', ')}`
  }

  #label(x: number): string {
    const { categories, formatX } = this.spec
    if (categories !== undefined) return categories[x] ?? ''
    return formatX === undefined ? formatTime(x) : formatX(x)
  }

  /** The data of the chart as a table, which is created when it is opened. */
  #tableParts(): HTMLElement {
    const { series, markers = [], format, nameX = 'time (UTC)' } = this.spec
    const parts = element('details', {}, element('summary', {}, 'As a table'))
    parts.addEventListener('toggle', () => {
      if (parts.childElementCount > 1) return
      for (const { label, line } of [...series, ...markers]) {
        const rows = sampled(line.time.length, TABLE_ROWS).map((at) => {
          const value = line.value[at] ?? Number.NaN
          return [this.#label(line.time[at] ?? 0), Number.isNaN(value) ? 'none' : format(value)]
        })
        const isCut = line.points > rows.length
        const caption = isCut ? `${label}: ${rows.length} of ${formatCount(line.points)} points` : label
        parts.append(tableOf(caption, [nameX, label], rows, true, [1]))
      }
    })
    return parts
  }
}

/** Colours of one repetition of a broken line: dashes and gaps alternate. */
function stopsOf(dash: readonly number[]): readonly string[] {
  let from = 0
  return dash.map((length, at) => {
    const begin = from
    from += length
    return `${at % 2 === 0 ? 'var(--key)' : 'transparent'} ${begin}px ${from}px`
  })
}
