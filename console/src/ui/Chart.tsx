import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'

import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { unknownCell } from '../format/numbers.ts'
import { clock, utc } from '../format/time.ts'
import { Button } from './Button.tsx'
import { type ChartLook, chartData, chartOptions } from './chart-options.ts'
import { saveCsv } from './csv.ts'
import { Dialog } from './Dialog.tsx'
import { Table } from './Table.tsx'

/** A line of a chart. */
export interface ChartLine {
  readonly name: string
  /** One for each time; null: not known, which is a gap. */
  readonly values: readonly (number | null)[]
}

/** Properties of `Chart`. */
export interface ChartProps extends ChartLook {
  /** What the chart shows, with its unit: it names the table and the file. */
  readonly label: string
  /** In seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
  /** How a value reads. */
  readonly format: (value: number) => string
  /** The index of the time under the pointer; null: none. */
  readonly onPoint?: (index: number | null) => void
  /** A range that was drawn with the pointer, in seconds since 1970. */
  readonly onRange?: (from: number, to: number) => void
}

/** Lines over time. What it shows is also there as a table, and as a file. */
export function Chart(props: ChartProps) {
  const { label, times, lines, format } = props
  const [isTable, setIsTable] = useState(false)
  const head = ['Time', ...lines.map(({ name }) => name)]
  const rows = () =>
    times.map((time, index) => ({ time, values: lines.map(({ values }) => values[index] ?? null) }))
  return (
    <div className="chart">
      <Canvas {...props} />
      <p className="chart-acts">
        <button type="button" onClick={() => setIsTable(true)} aria-label={`${label} as a table`}>
          as a table
        </button>
        <button
          type="button"
          aria-label={`${label} as CSV`}
          onClick={() =>
            saveCsv(
              label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
              head,
              rows().map(({ time, values }) => [new Date(time * 1_000).toISOString(), ...values]),
            )
          }
        >
          CSV
        </button>
      </p>
      {isTable && (
        <Dialog isOpen isWide onClose={() => setIsTable(false)} title={label}>
          <Table
            label={label}
            rows={rows().toReversed()}
            rowKey={({ time }) => time}
            columns={head.map((name, column) => ({
              id: name,
              head: name,
              isHead: column === 0,
              isNumber: column > 0,
              cell: ({ time, values }) => {
                if (column === 0)
                  return <span title={utc(time * 1_000)}>{clock(time * 1_000)}</span>
                const value = values[column - 1] ?? null
                return value === null ? unknownCell : format(value)
              },
            }))}
          />
          <div className="dialog-acts">
            <Button onClick={() => setIsTable(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** The drawing itself: readers get the figure and the table. */
function Canvas(props: ChartProps) {
  const { times, lines, height = 78, tones, isArea, isStacked, cursorKey } = props
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const latest = useRef(props)
  const data = chartData(times, lines, isStacked)
  const latestData = useRef(data)
  useEffect(() => {
    latest.current = props
    latestData.current = data
    plot.current?.setData(data)
  })
  const names = lines.map(({ name }) => name)
  const shape = JSON.stringify([height, tones, isArea, isStacked, cursorKey, names])
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const draw = () => {
      plot.current?.destroy()
      const width = element.clientWidth
      plot.current = new uPlot(chartOptions(width, latest), latestData.current, element)
    }
    draw()
    const sizes = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height })
    })
    sizes.observe(element)
    // Colours are of the theme.
    const themes = new MutationObserver(draw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', draw)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      dark.removeEventListener('change', draw)
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape, height])
  return <div ref={frame} className="chart-canvas" style={{ height }} aria-hidden="true" />
}
