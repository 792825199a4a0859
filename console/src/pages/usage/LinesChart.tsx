import { money } from '../../format/money.ts'
import { count } from '../../format/numbers.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Chart } from '../../ui/Chart.tsx'
import type { UsageQuery } from './operations.generated.ts'
import type { Metric } from './search.ts'
import './usage.css'

type Line = NonNullable<UsageQuery['cost']>['lines'][number]

const tones = ['accent', 'warn', 'ok', 'bad', 'text2', 'line2']

/** The largest lines of a metric over time, with their names. A gap is not known. */
export function LinesChart({
  metric,
  lines,
  isLoading,
  onRange,
}: {
  readonly metric: Metric
  readonly lines: readonly Line[] | undefined
  readonly isLoading: boolean
  readonly onRange: (from: number, to: number) => void
}) {
  if (!lines) return isLoading ? <Bars lines={5} /> : null
  const times = lines[0]?.points.map(({ at }) => Date.parse(at) / 1_000) ?? []
  const shown = lines.map(({ label, isOther, points }) => ({
    name: isOther ? 'all others' : label || 'none',
    values: points.map(({ value }) => value ?? null),
  }))
  return (
    <>
      <Chart
        label={{ cost: 'Cost in US dollars', calls: 'Calls', tokens: 'Tokens' }[metric]}
        height={180}
        times={times}
        lines={shown}
        tones={tones}
        isArea={shown.length === 1}
        format={metric === 'cost' ? money : count}
        onRange={onRange}
      />
      {shown.length > 1 && (
        <ul className="lines-legend">
          {shown.map(({ name }, index) => (
            <li key={name}>
              <span
                className="lines-mark"
                style={{ background: `var(--${tones[index % tones.length]})` }}
              />
              <span className="mono">{name}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
