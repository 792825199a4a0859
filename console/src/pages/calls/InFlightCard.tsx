import { Link } from '@tanstack/react-router'

import { useLive } from '../../api/live.ts'
import { type PageAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { duration } from '../../format/durations.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Age } from '../../ui/Time.tsx'
import { type CallsInFlightQuery, CallsLive } from './operations.generated.ts'
import { type CallsSearch, filterOf, liveFilterOf } from './search.ts'

type Flying = CallsInFlightQuery['exchanges'][number]

/** A call of this age without output stands out, in milliseconds. */
const slowMs = 10_000

/** The calls in flight, the oldest first. */
export function InFlightCard({
  search,
  page,
}: {
  readonly search: CallsSearch
  readonly page: PageAnswer<CallsInFlightQuery>
}) {
  const refresh = useRefreshOnEvents(page.refresh)
  useLive(CallsLive, { filter: liveFilterOf(search) }, { onEvents: refresh, onGap: refresh })
  // Ages grow by the clock of the page from the arrival of the answer.
  const arrivedAt = page.answeredAt - Date.now() + performance.now()
  return (
    <>
      <AnswerNotices page={page} names={{ exchanges: 'the calls in flight' }} />
      <Card isFlush>
        <Table
          label="Calls in flight"
          rows={page.data?.exchanges}
          rowKey={({ id }) => id}
          columns={columnsOf(arrivedAt)}
          chosen={search.open}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'exchanges')}
          empty={
            Object.keys(filterOf(search)).length > 0 ? (
              <Empty title="No such call is in flight" />
            ) : (
              <Empty title="Nothing is in flight">Calls that have ended are under Ended.</Empty>
            )
          }
        />
      </Card>
    </>
  )
}

function columnsOf(arrivedAt: number): readonly Column<Flying>[] {
  return [
    {
      id: 'age',
      head: 'Age',
      isHead: true,
      width: '90px',
      cell: ({ id, ageMs, firstOutputMs }) => (
        <Link
          from="/calls"
          to="/calls"
          search={(former) => ({ ...former, open: id })}
          className={
            ageMs > slowMs && typeof firstOutputMs !== 'number'
              ? 'quiet-link calls-slow'
              : 'quiet-link'
          }
        >
          <Age ageMs={ageMs} arrivedAt={arrivedAt} />
        </Link>
      ),
    },
    {
      id: 'model',
      head: 'Model',
      cell: ({ model }) => <span className="mono wrap-anywhere">{model ?? '–'}</span>,
    },
    { id: 'stage', head: 'Stage', cell: stageOf },
    {
      id: 'account',
      head: 'Account',
      cell: ({ accountId, attemptCount }) => (
        <>
          {accountId ? <span className="mono">{accountId}</span> : '–'}
          {attemptCount > 1 && <span className="secondary"> attempt {attemptCount}</span>}
        </>
      ),
    },
    {
      id: 'key',
      head: 'Key',
      isWide: true,
      cell: ({ keyId }) => <span className="mono">{keyId ?? '–'}</span>,
    },
    { id: 'dialect', head: 'Dialect', isWide: true, cell: ({ dialect }) => dialect ?? '–' },
  ]
}

/** What the call does now. */
function stageOf({ attemptCount, firstOutputMs, stream }: Flying): string {
  if (typeof firstOutputMs === 'number')
    return `${stream ? 'Streaming' : 'Replying'}, first after ${duration(firstOutputMs)}`
  return attemptCount === 0 ? 'Routing' : 'Waiting for the account'
}
