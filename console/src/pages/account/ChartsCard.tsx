import { useState } from 'react'

import { useStep } from '../../api/clock.ts'
import { useAnswer } from '../../api/query.ts'
import { duration } from '../../format/durations.ts'
import { count } from '../../format/numbers.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { Chart } from '../../ui/Chart.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { AccountCharts, type AccountChartsQuery } from './operations.generated.ts'

const minute = 60_000
const shownMs = 2 * 60 * minute

const names = { calls: 'the calls', failures: 'the failures', firstOutput: 'the first output' }

/** The last two hours of the account, by minutes. A minute in which nothing was counted is a gap. */
export function ChartsCard({ id }: { readonly id: string }) {
  const to = useStep(minute)
  const page = useAnswer(AccountCharts, {
    id,
    from: new Date(to - shownMs).toISOString(),
    to: new Date(to).toISOString(),
  })
  const { data, isLoading } = page
  return (
    <Card title="Two hours" aside="by minutes">
      <AnswerNotices page={page} names={names} />
      {isLoading && <Bars lines={3} />}
      {data && (
        <div className="chart-row">
          <Line name="Calls a minute" series={data.calls} format={count} isArea />
          <Line name="Failures a minute" series={data.failures} format={count} tone="bad" isArea />
          <Line name="First output, p95" series={data.firstOutput} format={duration} />
        </div>
      )}
    </Card>
  )
}

function Line({
  name,
  series,
  format,
  tone = 'accent',
  isArea = false,
}: {
  readonly name: string
  readonly series: AccountChartsQuery['calls']
  readonly format: (value: number) => string
  readonly tone?: string
  readonly isArea?: boolean
}) {
  const [at, setAt] = useState<number | null>(null)
  const points = series?.lines[0]?.points
  if (!points) return <p className="muted">{name}: not known</p>
  const values = points.map(({ value }) => value ?? null)
  const value = at === null ? undefined : values[at]
  return (
    <div>
      <p className="secondary">
        {name}
        {typeof value === 'number' && <strong> {format(value)}</strong>}
      </p>
      <Chart
        label={name}
        times={points.map((point) => Date.parse(point.at) / 1_000)}
        lines={[{ name, values }]}
        tones={[tone]}
        isArea={isArea}
        format={format}
        onPoint={setAt}
        cursorKey="account"
        height={88}
      />
    </div>
  )
}
