/**
 * Marks of single events in a chart, such as fills: triangles that point up or down, so that the shape also shows the
 * side. If there are too many to distinguish, they are dots.
 */
import type uPlot from 'uplot'
import type { Line } from '../payload.ts'
import { type Colour, colourOf } from './colours.ts'
import { lineRowAt } from './lines.ts'

/** A kind of marks. */
export interface Markers {
  readonly label: string
  readonly colour: Colour
  readonly shape: 'up' | 'down'
  readonly line: Line
}

/** If more marks than this are visible, they are dots. */
const TRIANGLES_MAX = 600
const TRIANGLE = 4.5
const DOT = 1.6

/** Draws marks over the lines of a chart. */
export function drawMarkers(plot: uPlot, all: readonly Markers[]): void {
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
      else triangle(path, { x, y, size: TRIANGLE * ratio, up: shape === 'up' })
    }
    if (!isDots) ctx.stroke(path)
    ctx.fill(path)
  }
  ctx.restore()
}

function triangle(
  path: Path2D,
  of: { readonly x: number; readonly y: number; readonly size: number; readonly up: boolean },
): void {
  const { x, y, size, up } = of
  const tip = up ? -size : size
  path.moveTo(x, y + tip)
  path.lineTo(x + size, y - tip)
  path.lineTo(x - size, y - tip)
  path.closePath()
}
