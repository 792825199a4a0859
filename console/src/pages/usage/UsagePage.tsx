import { getRouteApi, useNavigate } from '@tanstack/react-router'

import { useStep } from '../../api/clock.ts'
import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { duration } from '../../format/durations.ts'
import { count, share } from '../../format/numbers.ts'
import { clock } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { saveCsv } from '../../ui/csv.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Figure, Figures } from '../../ui/Figure.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Table } from '../../ui/Table.tsx'
import { type UsageView, caveats, costText, usageColumns } from '../../usage/columns.tsx'
import { LinesChart } from './LinesChart.tsx'
import { Usage } from './operations.generated.ts'
import { NameOfRow, type UsageRow, csvOf, linesBy } from './rows.tsx'
import { type UsageSearch, dimensions, filterOf, metrics, rangeOfSearch, spans } from './search.ts'

const route = getRouteApi('/usage')

const fields = [
  ['keyId', 'Key'],
  ['team', 'Team'],
  ['model', 'Model'],
  ['accountId', 'Account'],
] as const

const names = {
  usage: 'the usage',
  cost: 'the cost over time',
  calls: 'the calls over time',
  tokens: 'the tokens over time',
}

/** Who has used how much of what, and what did it cost? */
export function UsagePage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/usage' })
  const { by = 'KEY', metric = 'cost' } = search
  const now = useStep(60_000)
  const page = useAnswer(Usage, {
    ...rangeOfSearch(search, now),
    by: [by],
    lines: linesBy(by),
    filter: filterOf(search),
    isCost: metric === 'cost',
    isCalls: metric === 'calls',
    isTokens: metric === 'tokens',
  })
  useChanges(['PULSE'], page.refresh, 15_000)
  const show = (change: UsageSearch) =>
    void navigate({ search: (former) => ({ ...former, ...change }) })
  const { usage } = page.data ?? {}
  const lines = page.data?.[metric]?.lines
  const isRange = search.from !== undefined
  return (
    <>
      <PageHead
        title="Usage"
        acts={
          <Button
            disabled={!usage}
            onClick={() => usage && saveCsv('usage', ...csvOf(by, usage.rows))}
          >
            CSV
          </Button>
        }
      />
      <Filters
        active={fields.filter(([name]) => search[name] !== undefined).length}
        main={
          <Switch
            label="Time"
            value={isRange ? 'range' : (search.span ?? '24h')}
            options={[
              ...Object.entries(spans).map(([value, { name }]) => ({ value, name })),
              ...(search.from !== undefined && search.to !== undefined
                ? [{ value: 'range', name: `${clock(search.from)} to ${clock(search.to)}` }]
                : []),
            ]}
            onChange={(value) => {
              if (value === 'range') return
              show({ span: value as keyof typeof spans, from: undefined, to: undefined })
            }}
          />
        }
      >
        <FieldFilters fields={fields} values={search} onChange={show} />
      </Filters>
      <AnswerNotices page={page} names={names} />
      <div className="stack">
        <Totals totals={usage?.totals} isWhole={isWhole(page, 'usage')} />
        <Card
          title="Over time"
          aside={
            <Switch
              label="What is drawn"
              value={metric}
              options={metrics.map((value) => ({ value, name: metricNames[value] }))}
              onChange={(value) => show({ metric: value })}
            />
          }
        >
          <LinesChart
            metric={metric}
            by={by}
            lines={lines}
            isLoading={page.isLoading || (!lines && page.isFormer)}
            onRange={(from, to) =>
              show({
                from: new Date(from * 1_000).toISOString(),
                to: new Date(to * 1_000).toISOString(),
              })
            }
          />
        </Card>
        <Card
          isFlush
          title={`By ${dimensionNames[by].toLowerCase()}`}
          aside={
            <Switch
              label="By"
              value={by}
              options={dimensions.map((value) => ({ value, name: dimensionNames[value] }))}
              onChange={(value) => show({ by: value })}
            />
          }
        >
          <Table
            label={`Usage by ${dimensionNames[by].toLowerCase()}`}
            rows={usage?.rows}
            rowKey={(row) => row.start ?? row.key ?? row.team ?? row.model ?? row.account ?? ''}
            columns={[
              {
                id: 'name',
                head: dimensionNames[by],
                isHead: true,
                cell: (row) => <NameOfRow row={row} by={by} />,
              },
              ...usageColumns<UsageRow>(),
            ]}
            rowHeight={52}
            isLoading={page.isLoading}
            isWhole={isWhole(page, 'usage')}
            empty={<Empty title="No call">No call of this kind has ended in this time.</Empty>}
          />
        </Card>
      </div>
    </>
  )
}

const metricNames = { cost: 'Cost', calls: 'Calls', tokens: 'Tokens' } as const

const dimensionNames = {
  KEY: 'Key',
  TEAM: 'Team',
  MODEL: 'Model',
  ACCOUNT: 'Account',
  DAY: 'Day',
  HOUR: 'Hour',
} as const

type TotalsView = UsageView & { readonly retries: number; readonly durationP95Ms?: number | null }

/** What the sum of costs lacks or guesses; that it lacks nothing, only a whole answer can say. */
function costNote(totals: TotalsView, isWhole: boolean): string {
  const attempts = totals.calls + totals.retries
  const lacks = caveats(totals, attempts)
  if (attempts === 0 || !isWhole || totals.unpricedCalls + totals.lostCalls > 0) return lacks
  return ['all priced', lacks].filter(Boolean).join(', ')
}

function Totals({
  totals,
  isWhole,
}: {
  readonly totals: TotalsView | undefined
  readonly isWhole: boolean
}) {
  return (
    <Figures>
      <Figure
        name="Cost"
        value={totals && costText(totals)}
        note={totals && costNote(totals, isWhole)}
      />
      <Figure
        name="Calls"
        value={totals && count(totals.calls)}
        note={
          totals &&
          (totals.calls === 0
            ? 'none failed'
            : `${count(totals.failures)} failed, ${share(totals.failures, totals.calls)}`)
        }
      />
      <Figure
        name="Tokens"
        value={totals && count(totals.inputTokens + totals.outputTokens)}
        note={
          totals &&
          `${count(totals.inputTokens)} in, ${count(totals.cachedTokens)} of them cached; ${count(totals.outputTokens)} out`
        }
      />
      <Figure
        name="Duration"
        value={
          typeof totals?.durationP95Ms === 'number' ? duration(totals.durationP95Ms) : undefined
        }
        unit="p95"
        note={totals && totals.durationP95Ms === null ? 'no call had a reply' : 'of whole calls'}
      />
    </Figures>
  )
}
