import type { PlacedOutline } from '#server/features/invoices/pdf/pdf-text.ts'

type Point = readonly [x: number, y: number]

/** The number of sample rows per pixel for anti-aliasing, enough for smooth edges. */
const rowsPerPixel = 8
/**
 * The number of line segments that replace a curve. At the largest font size, each segment is about two pixels long.
 */
const linesPerCurve = 12

/**
 * Returns for each pixel, row by row, the fraction (0 to 1) that the glyph outlines cover. `left` and `baseline` are
 * the pixel position where the text starts.
 */
export function coverageOf(
  outlines: readonly PlacedOutline[],
  {
    left,
    baseline,
    width,
    height,
  }: Readonly<Record<'left' | 'baseline' | 'width' | 'height', number>>,
): Float32Array {
  const edges = Array.from({ length: height * rowsPerPixel }, (): Point[] => [])
  for (const { x, scale, commands } of outlines) {
    const place = ([px, py]: Point): Point => [left + x + px * scale, baseline - py * scale]
    for (const [from, to] of linesOf(commands)) addEdge(edges, place(from), place(to))
  }
  const coverage = new Float32Array(width * height)
  for (const [row, crossings] of edges.entries()) {
    const start = Math.floor(row / rowsPerPixel) * width
    for (const [from, to] of insideOf(crossings)) addSpan(coverage, start, width, from, to)
  }
  return coverage
}

/** Records where a line crosses the middle of each sample row, and whether the line goes up or down. */
function addEdge(edges: Point[][], [x0, y0]: Point, [x1, y1]: Point): void {
  const [top, bottom] = [Math.min(y0, y1) * rowsPerPixel, Math.max(y0, y1) * rowsPerPixel]
  const direction = Math.sign(y1 - y0)
  for (let row = Math.max(0, Math.ceil(top - 0.5)); row + 0.5 < bottom; row += 1) {
    const y = (row + 0.5) / rowsPerPixel
    edges[row]?.push([x0 + ((y - y0) * (x1 - x0)) / (y1 - y0), direction])
  }
}

/**
 * Returns the horizontal spans of a sample row that are inside the outlines, by the nonzero winding rule that fonts
 * use.
 */
function insideOf(crossings: readonly Point[]): Point[] {
  const inside: Point[] = []
  let winding = 0
  let from = 0
  for (const [x, direction] of crossings.toSorted(([one], [other]) => one - other)) {
    if (winding === 0) from = x
    winding += direction
    if (winding === 0) inside.push([from, x])
  }
  return inside
}

function addSpan(coverage: Float32Array, start: number, width: number, from: number, to: number) {
  const [left, right] = [Math.max(0, from), Math.min(width, to)]
  for (let pixel = Math.floor(left); pixel < right; pixel += 1) {
    const part = Math.min(right, pixel + 1) - Math.max(left, pixel)
    coverage[start + pixel] = (coverage[start + pixel] ?? 0) + part / rowsPerPixel
  }
}

/** Converts an outline to straight line segments. Each contour is closed: the last segment ends at the first point. */
function linesOf(commands: PlacedOutline['commands']): [Point, Point][] {
  const lines: [Point, Point][] = []
  let [first, at]: [Point, Point] = [
    [0, 0],
    [0, 0],
  ]
  for (const { command, args } of commands) {
    if (command === 'moveTo') first = at = pointsOf(args)[0] ?? first
    else if (command === 'closePath') lines.push([at, first])
    else {
      const curve = [at, ...pointsOf(args)]
      const steps = curve.length === 2 ? 1 : linesPerCurve
      for (let step = 1; step <= steps; step += 1) {
        const next = pointOn(curve, step / steps)
        lines.push([at, next])
        at = next
      }
    }
  }
  return lines
}

const pointsOf = (args: readonly number[]): Point[] =>
  args.flatMap((x, nth) => (nth % 2 === 0 ? [[x, args[nth + 1] ?? 0] as const] : []))

/** Returns a point of a Bézier curve of any degree (de Casteljau). */
function pointOn(curve: readonly Point[], part: number): Point {
  const [start = [0, 0], ...rest] = curve
  if (rest.length === 0) return start
  const between = rest.map(([x, y], nth): Point => {
    const [x0, y0] = curve[nth] ?? start
    return [x0 + (x - x0) * part, y0 + (y - y0) * part]
  })
  return pointOn(between, part)
}
