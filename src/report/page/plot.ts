/** The options of uPlot for a chart: scales, axes, series and the drawings over them. */

import uPlot from 'uplot'
import type { Line } from '../payload.ts'
import { type Colour, colourOf } from './colours.ts'
import { axisTimes } from './format.ts'
import { extremesOf, lineRowAt } from './lines.ts'

/** A line of a chart. */
export interface Series {
  readonly label: string
  readonly colour: Colour
  readonly line: Line
  /** A `step` holds its value until the next point; an `area` is filled down to zero. */
  readonly shape: 'line' | 'step' | 'area' | 'bars' | 'dots'
  readonly dash?: readonly number[]
  readonly width?: number
  /** True for a faint line behind the others. */
  readonly isFaint?: boolean
}

/** A part of the time range, in seconds since 1970. */
export interface Part {
  readonly min: number
  readonly max: number
}

/** Everything that a chart shows. */
export interface ChartSpec {
  readonly id: string
  readonly title: string
  /** A sentence that explains the chart to readers who do not know it. */
  readonly about: string
  readonly series: readonly Series[]
  readonly markers?: readonly Markers[]
  readonly format: (value: number) => string
  readonly height?: number
  /** True if the user may choose a logarithmic scale. */
  readonly canLog?: boolean
  /** True if the chart must include zero. */
  readonly withZero?: boolean
  /** The whole time range of a chart over time. */
  readonly span?: Part
  /** Labels of the categories, for a chart whose x counts categories. */
  readonly categories?: readonly string[]
  /** Formats x, for a chart that has neither times nor categories. */
  readonly formatX?: (value: number) => string
  /** Heading of x in the table. */
  readonly nameX?: string
}

/** The current terms of drawing a chart. */
interface PlotTerms {
  readonly width: number
  readonly isLog: boolean
  readonly onCursor: (plot: uPlot) => void
  readonly onZoom: (plot: uPlot) => void
  /** Called at a double click, which shows the whole time range. */
  readonly onReset: () => void
}

/** A kind of marks. */
export interface Markers {
  readonly label: string
  readonly colour: Colour
  readonly shape: 'up' | 'down'
  readonly line: Line
}

const FONT = '11px system-ui, sans-serif'

const LETTER = 6.4

const HEIGHT = 220

/** Space above and below the lines, as a fraction of their range. */
const PAD = 0.06

/** True for a chart over time. */
export function isTimed(spec: ChartSpec): boolean {
  return spec.span !== undefined
}

/** The whole range of x in a chart: the time of the run, or all categories with space at both sides. */
export function wholeOf({ span, series }: ChartSpec): Part {
  if (span !== undefined) return span
  const times = series[0]?.line.time ?? [0]
  const [first = 0, second = first + 1] = times
  const room = 0.6 * (second - first)
  return { min: first - room, max: (times.at(-1) ?? first) + room }
}

/** The columns of uPlot: one x for all lines, and null at gaps of a line. */
export function dataOf({ series, span }: ChartSpec): uPlot.AlignedData {
  const tables = series.map(({ line }): uPlot.AlignedData => {
    const hasGaps = line.value.some((value) => Number.isNaN(value))
    if (!hasGaps) return [line.time, line.value]
    const values = Array.from(line.value, (value) => (Number.isNaN(value) ? null : value))
    return [Array.from(line.time), values]
  })
  const [first] = tables
  if (first === undefined) return [[span?.min ?? 0, span?.max ?? 1]]
  // A point that only other lines have is skipped; a gap of the line itself is kept.
  return tables.length === 1
    ? first
    : uPlot.join(
        tables,
        tables.map((table) => table.map(() => 1 as const)),
      )
}

/** Options for a chart. */
export function optionsOf(spec: ChartSpec, terms: PlotTerms): uPlot.Options {
  const { width, isLog, onCursor, onZoom, onReset } = terms
  const { height = HEIGHT, markers = [] } = spec
  const timed = isTimed(spec)
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    padding: [10, 22, 0, 0],
    cursor: {
      points: { size: 7 },
      drag: { x: true, y: false },
      y: false,
      bind: {
        dblclick: () => () => {
          onReset()
          return null
        },
      },
      ...(timed ? { sync: { key: 'time', setSeries: false } } : {}),
    },
    scales: {
      x: { time: timed },
      y: { distr: isLog ? 3 : 1, range: (_, min, max) => rangeY(spec, min, max, isLog) },
    },
    axes: [axisX(spec), axisY(spec)],
    series: [{}, ...spec.series.map(seriesOf)],
    hooks: {
      draw: [
        (plot) => {
          drawZero(plot)
          drawMarkers(plot, markers)
        },
      ],
      setCursor: [onCursor],
      setScale: [
        (plot, key) => {
          if (key === 'x') onZoom(plot)
        },
      ],
    },
  }
}

function rangeY(spec: ChartSpec, min: number | null, max: number | null, isLog: boolean): uPlot.Range.MinMax {
  let [low, high] = [min ?? Number.NaN, max ?? Number.NaN]
  if (Number.isNaN(low) || Number.isNaN(high)) {
    const all = (spec.markers ?? []).map(({ line }) => extremesOf(line))
    low = Math.min(...all.map((found) => found?.lowest.value ?? 0))
    high = Math.max(...all.map((found) => found?.highest.value ?? 1))
  }
  if (isLog) return [low * 0.999, high * 1.001]
  if (spec.withZero === true) [low, high] = [Math.min(low, 0), Math.max(high, 0)]
  const room = PAD * (high - low)
  if (room === 0) {
    const apart = Math.abs(high) * 0.001 || 1
    return [low - apart, high + apart]
  }
  // A line along zero is at the edge of the chart.
  return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room]
}

function axisX(spec: ChartSpec): uPlot.Axis {
  const { categories, formatX } = spec
  const values = (_: uPlot, marks: number[], __: number, ___: number, step: number): string[] => {
    if (categories !== undefined) return marks.map((mark) => categories[mark] ?? '')
    return formatX === undefined ? axisTimes(marks, step) : marks.map(formatX)
  }
  const each = categories === undefined ? {} : { splits: () => categories.map((_, at) => at) }
  return { ...shared(), values, space: 84, ...each, size: isTimed(spec) ? 44 : 28 }
}

function axisY({ format, span }: ChartSpec): uPlot.Axis {
  // Charts over time are aligned below each other.
  const least = span === undefined ? 44 : 74
  return {
    ...shared(),
    values: (_, marks) => marks.map((mark) => (mark === null ? '' : format(mark))),
    // The default clips long labels.
    size: (_, labels) => {
      const longest = Math.max(0, ...(labels ?? []).map((label) => label.length))
      return Math.max(least, 16 + Math.ceil(LETTER * longest))
    },
  }
}

function shared(): uPlot.Axis {
  const stroke = colourOf('grid')
  return {
    stroke: colourOf('faint'),
    font: FONT,
    grid: { stroke, width: 1 },
    ticks: { stroke, width: 1, size: 4 },
  }
}

function seriesOf({ label, colour, shape, dash, width = 1.5, isFaint }: Series): uPlot.Series {
  const stroke = `${colourOf(colour)}${isFaint === true ? 'aa' : ''}`
  const { stepped, bars, linear, points } = uPlot.paths
  const isFilled = shape === 'area' || shape === 'bars'
  const own: Partial<Record<Series['shape'], uPlot.Series.PathBuilder | undefined>> = {
    step: stepped?.({ align: 1 }),
    bars: bars?.({ size: [0.8, 60] }),
    line: linear?.(),
    area: linear?.(),
    dots: points?.(),
  }
  const paths = own[shape]
  return {
    label,
    stroke,
    width,
    ...(paths === undefined ? {} : { paths }),
    ...(isFilled ? { fill: `${stroke}${shape === 'bars' ? 'cc' : '38'}` } : {}),
    ...(dash === undefined ? {} : { dash: [...dash] }),
    points: { show: shape === 'dots', size: 7, fill: stroke },
    spanGaps: false,
  }
}

/** Draws a line along zero, if zero is visible. */
function drawZero(plot: uPlot): void {
  const { min = 0, max = 0 } = plot.scales['y'] ?? {}
  if (plot.scales['y']?.distr === 3 || min >= 0 || max <= 0) return
  const { ctx, bbox } = plot
  const y = Math.round(plot.valToPos(0, 'y', true))
  ctx.save()
  ctx.strokeStyle = colourOf('faint')
  ctx.lineWidth = window.devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/**
 * Marks of single events in a chart, such as fills: triangles that point up or down, so that the shape also shows the
 * side. If there are too many to distinguish, they are dots.
 */

/** If more marks than this are visible, they are dots. */
const TRIANGLES_MAX = 600

const TRIANGLE = 4.5

const DOT = 1.6

/** Draws marks over the lines of a chart. */
function drawMarkers(plot: uPlot, all: readonly Markers[]): void {
  const { ctx, bbox, scales } = plot
  const { min = 0, max = 0 } = scales['x'] ?? {}
  const ratio = window.devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { line, colour, shape } of all) {
    const first = lineRowAt(line.time, min - 1e-9) + 1
    const last = lineRowAt(line.time, max)
    const isDots = last - first + 1 > TRIANGLES_MAX
    ctx.fillStyle = colourOf(colour)
    ctx.strokeStyle = colourOf('surface')
    ctx.lineWidth = ratio
    ctx.globalAlpha = isDots ? 0.55 : 1
    const path = new Path2D()
    for (let at = first; at <= last; at += 1) {
      const x = plot.valToPos(line.time[at] ?? 0, 'x', true)
      const y = plot.valToPos(line.value[at] ?? 0, 'y', true)
      if (isDots) path.rect(x - DOT * ratio, y - DOT * ratio, 2 * DOT * ratio, 2 * DOT * ratio)
      else triangle(path, x, y, TRIANGLE * ratio, shape === 'up')
    }
    if (!isDots) ctx.stroke(path)
    ctx.fill(path)
  }
  ctx.restore()
}

function triangle(path: Path2D, x: number, y: number, size: number, up: boolean): void {
  const tip = up ? -size : size
  path.moveTo(x, y + tip)
  path.lineTo(x + size, y - tip)
  path.lineTo(x - size, y - tip)
  path.closePath()
}
