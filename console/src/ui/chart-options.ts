import type { RefObject } from 'react'
import uPlot from 'uplot'

import { compact } from '../format/numbers.ts'

/** How a chart looks. */
export interface ChartLook {
  /** In pixels, with the axis. Default: 78. */
  readonly height?: number
  /** The colours of the lines, as custom properties: `accent`, `bad`. */
  readonly tones?: readonly string[]
  /** Whether the area below is soft: for counts, not for means. */
  readonly isArea?: boolean
  /** Whether the lines stand on each other, as bars of the time until the next: for sums. */
  readonly isStacked?: boolean
  /** Charts of one key have one cursor. */
  readonly cursorKey?: string
}

interface Drawn extends ChartLook {
  readonly times: readonly number[]
  readonly lines: readonly { readonly name: string; readonly values: Values }[]
  readonly format: (value: number) => string
  readonly onPoint?: (index: number | null) => void
  readonly onRange?: (from: number, to: number) => void
}

/** The values at each time. */
type Values = readonly (number | null)[]

/** The values as uPlot draws them. Of a stack, the highest bars come first, so that the lower ones stand before them. */
export function chartData(
  times: readonly number[],
  lines: readonly { readonly values: Values }[],
  isStacked = false,
): uPlot.AlignedData {
  const drawn: Values[] = []
  for (const { values } of lines) {
    const below = drawn.at(-1)
    drawn.push(
      isStacked && below
        ? values.map((value, index) => (value === null ? null : value + (below[index] ?? 0)))
        : values,
    )
  }
  return [times, ...(isStacked ? drawn.toReversed() : drawn)] as unknown as uPlot.AlignedData
}

/** The options of uPlot for a chart: two lines of a grid, the clock of 24 hours, colours of the theme. */
export function chartOptions(width: number, latest: RefObject<Drawn>): uPlot.Options {
  const {
    height = 78,
    tones = ['accent'],
    isArea = false,
    isStacked = false,
    cursorKey,
    lines,
    onRange,
  } = latest.current
  const colour = (name: string) => paintOf(`--${name}`)
  const font = '11px "Inter Variable", system-ui, sans-serif'
  const looks = lines.map(({ name }, index) => ({
    name,
    stroke: colour(tones[index % tones.length]!),
  }))
  const axis = { stroke: colour('text2'), font, ticks: { show: false }, gap: 4 }
  return {
    width: Math.max(40, width),
    height,
    legend: { show: false },
    padding: [8, 20, 0, 0],
    cursor: {
      y: false,
      points: isStacked ? { show: false } : { size: 5 },
      drag: { x: onRange !== undefined, y: false, setScale: false },
      ...(cursorKey !== undefined && { sync: { key: cursorKey } }),
    },
    scales: {
      ...(isStacked && {
        x: { range: (_, first, last) => [first, last + stepOf(latest.current)] },
      }),
      y: { range: (_, __, most) => [0, most > 0 ? most : 1] },
    },
    axes: [
      {
        ...axis,
        size: 18,
        space: 70,
        grid: { show: false },
        values: (_, ticks) => ticks.map(hour),
      },
      {
        ...axis,
        size: (_, labels) => Math.max(38, 12 + 6.5 * longestOf(labels ?? [])),
        grid: { stroke: colour('line'), width: 1 },
        splits: (_, __, ___, most) => [0, most],
        values: (_, splits) => splits.map((value) => (value === null ? '' : compact(value))),
      },
    ],
    series: [
      {},
      ...(isStacked
        ? looks.toReversed().map(({ name, stroke }) => ({
            label: name,
            fill: stroke,
            width: 0,
            paths: uPlot.paths.bars!({ size: [0.9, 40], align: 1 }),
            points: { show: false },
          }))
        : looks.map(({ name, stroke }) => ({
            label: name,
            stroke,
            width: 1.5,
            spanGaps: false,
            // A value between two gaps has no line.
            points: { show: true, size: 3, fill: stroke, filter: isolated },
            ...(isArea && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }),
          }))),
    ],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onPoint?.(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          latest.current.onRange?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** In characters. */
function longestOf(labels: readonly string[]): number {
  return Math.max(0, ...labels.map(({ length }) => length))
}

/** The seconds from a time to the next: the last bar is as wide as the others. */
function stepOf({ times }: Drawn): number {
  const [first = 0, second = first + 60] = times
  return second - first
}

/** The values without a neighbour. */
function isolated({ data }: uPlot, series: number): number[] {
  const values = data[series] ?? []
  const isKnown = (index: number) => typeof values[index] === 'number'
  return Array.from(values, (_, index) => index).filter(
    (index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1),
  )
}

/** `20:50`, and the date where a day begins. */
function hour(seconds: number): string {
  const date = new Date(seconds * 1_000)
  const [hours, minutes] = [date.getHours(), date.getMinutes()]
  if (hours === 0 && minutes === 0)
    return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

/** A custom property as a colour that a canvas knows. */
function paintOf(property: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
