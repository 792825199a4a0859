import type { RefObject } from 'react'
import type uPlot from 'uplot'

import { compact } from '../format/numbers.ts'

/** How a chart looks. */
export interface ChartLook {
  /** In pixels, with the axis. Default: 78. */
  readonly height?: number
  /** The colours of the lines, as custom properties: `accent`, `bad`. */
  readonly tones?: readonly string[]
  /** Whether the area below is soft: for counts, not for means. */
  readonly isArea?: boolean
  /** Charts of one key have one cursor. */
  readonly cursorKey?: string
}

interface Drawn extends ChartLook {
  readonly lines: readonly { readonly name: string }[]
  readonly format: (value: number) => string
  readonly onPoint?: (index: number | null) => void
  readonly onRange?: (from: number, to: number) => void
}

/** The tones of lines that have none of their own. */
const usualTones = ['accent', 'warn', 'ok', 'bad', 'text3', 'line2']

/** The options of uPlot for a chart: two lines of a grid, the clock of 24 hours, colours of the theme. */
export function chartOptions(width: number, latest: RefObject<Drawn>): uPlot.Options {
  const {
    height = 78,
    tones = usualTones,
    isArea = false,
    cursorKey,
    lines,
    onRange,
  } = latest.current
  const colour = (name: string) => paintOf(`--${name}`)
  const font = '11px "Inter Variable", system-ui, sans-serif'
  const axis = { stroke: colour('text2'), font, ticks: { show: false }, gap: 4 }
  return {
    width: Math.max(40, width),
    height,
    legend: { show: false },
    padding: [8, 14, 0, 0],
    cursor: {
      y: false,
      points: { size: 5 },
      drag: { x: onRange !== undefined, y: false, setScale: false },
      ...(cursorKey !== undefined && { sync: { key: cursorKey } }),
    },
    scales: { y: { range: (_, __, most) => [0, most > 0 ? most : 1] } },
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
        size: 38,
        grid: { stroke: colour('line'), width: 1 },
        splits: (_, __, ___, most) => [0, most],
        values: (_, splits) => splits.map((value) => (value === null ? '' : compact(value))),
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => {
        const stroke = colour(tones[index % tones.length]!)
        return {
          label: name,
          stroke,
          width: 1.5,
          spanGaps: false,
          // A value between two gaps has no line.
          points: { show: true, size: 3, fill: stroke, filter: isolated },
          ...(isArea && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }),
        }
      }),
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
