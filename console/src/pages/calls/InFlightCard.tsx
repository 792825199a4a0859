import { Link } from '@tanstack/react-router'

import { useLive } from '../../api/live.ts'
import { type PageAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { duration } from '../../format/durations.ts'
import { count, unknownCell } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { State, type StateLook } from '../../ui/State.tsx'
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
  // A call that is open beside the list asks as well: together once in a second.
  const refresh = useRefreshOnEvents(page.refresh, search.open === undefined ? 1_000 : 2_000)
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
      cell: ({ model }) => <span className="mono wrap-anywhere">{model ?? unknownCell}</span>,
    },
    {
      id: 'stage',
      head: 'Stage',
      cell: (call) => <State look={stageLook(call)}>{firstText(call)}</State>,
    },
    {
      id: 'account',
      head: 'Account',
      cell: ({ accountId, attemptCount }) => (
        <>
          {accountId ? <span className="mono">{accountId}</span> : unknownCell}
          {attemptCount > 1 && <span className="secondary"> attempt {attemptCount}</span>}
        </>
      ),
    },
    {
      id: 'key',
      head: 'Key',
      isWide: true,
      cell: ({ keyId }) => <span className="mono">{keyId ?? unknownCell}</span>,
    },
    {
      id: 'tokens',
      head: 'Tokens out',
      isNumber: true,
      isWide: true,
      cell: ({ outputTokens }) =>
        typeof outputTokens === 'number' ? count(outputTokens) : unknownCell,
    },
    { id: 'dialect', head: 'Dialect', isWide: true, cell: ({ dialect }) => dialect ?? unknownCell },
  ]
}

const stages = {
  RECEIVING: { word: 'Receiving', shape: 'quarter', tone: 'none' },
  ROUTING: { word: 'Routing', shape: 'quarter', tone: 'none' },
  WAITING: { word: 'Waiting', shape: 'ring', tone: 'none' },
  REPLYING: { word: 'Replying', shape: 'dot', tone: 'ok' },
} as const

/** What the call does now. */
function stageLook({ stage, stream }: Flying): StateLook {
  if (!stage) return { word: 'Unknown', shape: 'dash', tone: 'none' }
  return stage === 'REPLYING' && stream ? { ...stages.REPLYING, word: 'Streaming' } : stages[stage]
}

function firstText({ firstOutputMs }: Flying): string | undefined {
  return typeof firstOutputMs === 'number' ? `first after ${duration(firstOutputMs)}` : undefined
}
