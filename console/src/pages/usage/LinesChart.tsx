import { money } from '../../format/money.ts'
import { count, share } from '../../format/numbers.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Chart } from '../../ui/Chart.tsx'
import type { UsageQuery } from './operations.generated.ts'
import { unnamed } from './rows.tsx'
import type { Dimension, Metric } from './search.ts'
import './usage.css'

type Line = NonNullable<UsageQuery['cost']>['lines'][number]

/** The largest lines of a metric over time, on each other, with the share of each. A gap is not known. */
export function LinesChart({
  metric,
  by,
  lines,
  isLoading,
  onRange,
}: {
  readonly metric: Metric
  readonly by: Dimension
  readonly lines: readonly Line[] | undefined
  readonly isLoading: boolean
  readonly onRange: (from: number, to: number) => void
}) {
  if (!lines) return isLoading ? <Bars lines={5} /> : <p className="muted">Not known.</p>
  const times = lines[0]?.points.map(({ at }) => Date.parse(at) / 1_000) ?? []
  const shown = lines.map(({ label, isOther, points }, index) => ({
    name: isOther ? 'all others' : label || unnamed(by),
    tone: isOther ? 'data-other' : `data-${index + 1}`,
    values: points.map(({ value }) => value ?? null),
  }))
  const sums = shown.map(({ values }) => values.reduce<number>((sum, one) => sum + (one ?? 0), 0))
  const all = sums.reduce((sum, one) => sum + one, 0)
  return (
    <>
      <Chart
        label={{ cost: 'Cost in US dollars', calls: 'Calls', tokens: 'Tokens' }[metric]}
        height={180}
        times={times}
        lines={shown}
        tones={shown.map(({ tone }) => tone)}
        isStacked
        format={metric === 'cost' ? money : count}
        onRange={onRange}
      />
      {shown.length > 1 && (
        <ul className="lines-legend">
          {shown.map(
            ({ name, tone }, index) =>
              sums[index]! > 0 && (
                <li key={name}>
                  <span className="lines-mark" style={{ background: `var(--${tone})` }} />
                  <span className="mono">{name}</span>
                  <span className="muted">{share(sums[index]!, all)}</span>
                </li>
              ),
          )}
        </ul>
      )}
    </>
  )
}
