import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { useLive } from '../../api/live.ts'
import { useAnswer } from '../../api/query.ts'
import { callLook } from '../../calls/looks.ts'
import { duration } from '../../format/durations.ts'
import { tokens, unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { State } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CallsEnded, type CallsEndedQuery, CallsLive } from './operations.generated.ts'
import { type CallsSearch, filterOf, liveFilterOf } from './search.ts'

type Ended = CallsEndedQuery['recent']['edges'][number]['node']

/** The calls that ended last, the newest first. Newer ones wait until they are asked for. */
export function EndedCard({
  search,
  onPage,
}: {
  readonly search: CallsSearch
  readonly onPage: (after: string | undefined) => void
}) {
  const { after, open } = search
  const filter = filterOf(search)
  const page = useAnswer(CallsEnded, { filter, after: after ?? null })
  const [hasNewer, setHasNewer] = useState(false)
  const live = liveFilterOf(search)
  useLive(
    CallsLive,
    { filter: live },
    {
      onEvents: (events) => {
        if (events.some(({ __typename }) => __typename === 'ExchangeEnded')) setHasNewer(true)
      },
      onGap: () => setHasNewer(true),
    },
  )
  const { edges, pageInfo } = page.data?.recent ?? {}
  const calls = edges?.map(({ node }) => node)
  const mayMatch = Object.keys(filter).length > Object.keys(live).length
  return (
    <>
      <AnswerNotices page={page} names={{ recent: 'the calls that ended' }} />
      {hasNewer && after === undefined && (
        <Button
          kind="quiet"
          className="calls-newer"
          onClick={() => {
            setHasNewer(false)
            page.refresh()
          }}
        >
          {mayMatch
            ? 'Newer calls have ended; some may match: show'
            : 'Newer calls have ended: show'}
        </Button>
      )}
      <Card isFlush>
        <Table
          label="Calls that ended"
          rows={calls}
          rowKey={({ id }) => id}
          columns={columns}
          chosen={open}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'recent') && !pageInfo?.hasNextPage}
          empty={
            Object.keys(filter).length > 0 ? (
              <Empty title="No such call">None of the last calls has all of these.</Empty>
            ) : (
              <Empty title="No call has ended">None since the processes have started.</Empty>
            )
          }
        />
        <Pager
          after={after}
          next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
          onPage={onPage}
        />
      </Card>
    </>
  )
}

const columns: readonly Column<Ended>[] = [
  {
    id: 'outcome',
    head: 'Outcome',
    isHead: true,
    cell: (call) => (
      <Link
        from="/calls"
        to="/calls"
        search={(former) => ({ ...former, open: call.id })}
        className="quiet-link"
      >
        <State look={callLook(call)}>
          {call.attemptCount > 1 ? `${call.attemptCount} attempts` : undefined}
        </State>
      </Link>
    ),
  },
  { id: 'ended', head: 'Ended', cell: ({ endedAt }) => <Time at={endedAt} /> },
  {
    id: 'model',
    head: 'Model',
    cell: ({ model }) => <span className="mono wrap-anywhere">{model ?? unknownCell}</span>,
  },
  {
    id: 'account',
    head: 'Account',
    isWide: true,
    cell: ({ accountId, error }) =>
      accountId ? (
        <span className="mono">{accountId}</span>
      ) : (
        <span className="muted">{error ?? 'none'}</span>
      ),
  },
  {
    id: 'key',
    head: 'Key',
    isWide: true,
    cell: ({ keyId }) => <span className="mono">{keyId ?? unknownCell}</span>,
  },
  { id: 'dialect', head: 'Dialect', isWide: true, cell: ({ dialect }) => dialect ?? unknownCell },
  {
    id: 'first',
    head: 'First output',
    isNumber: true,
    isWide: true,
    cell: ({ firstOutputMs }) =>
      typeof firstOutputMs === 'number' ? duration(firstOutputMs) : unknownCell,
  },
  { id: 'time', head: 'Time', isNumber: true, cell: ({ durationMs }) => duration(durationMs) },
  {
    id: 'tokens',
    head: 'Tokens',
    isNumber: true,
    isWide: true,
    cell: ({ inputTokens, outputTokens }) => tokens(inputTokens ?? null, outputTokens ?? null),
  },
]
