import { Link } from '@tanstack/react-router'

import { useAnswer } from '../../api/query.ts'
import { callLook } from '../../calls/looks.ts'
import { duration } from '../../format/durations.ts'
import { tokens, unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { State } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNewer } from './newer.ts'
import { CallsEnded, type CallsEndedQuery } from './operations.generated.ts'
import { type CallsSearch, filterOf } from './search.ts'

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
  const newer = useNewer(search, page)
  return (
    <>
      <AnswerNotices page={page} names={{ recent: 'the calls that ended' }} />
      {newer !== undefined && (
        <Button kind="quiet" className="calls-newer" onClick={page.refresh}>
          {newer} newer, show
        </Button>
      )}
      <ListCard
        label="Calls that ended"
        page={page}
        field="recent"
        list={page.data?.recent}
        after={after}
        onPage={onPage}
        rowKey={({ id }) => id}
        columns={columns}
        chosen={open}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No such call">None of the last calls has all of these.</Empty>
          ) : (
            <Empty title="No call has ended">None since the processes have started.</Empty>
          )
        }
      />
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
