import { Link } from '@tanstack/react-router'

import { callLook } from '../../calls/looks.ts'
import { duration } from '../../format/durations.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { AccountCall } from './types.ts'

/** The calls that the account was asked for last, also those that another one served. */
export function CallsCard({
  id,
  calls,
  isLoading,
  isWhole,
}: {
  readonly id: string
  readonly calls: readonly AccountCall[] | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
}) {
  return (
    <Card
      isFlush
      title="Last calls"
      aside={
        <Link to="/calls" search={{ show: 'ended', triedAccountId: id }} className="link">
          All of them
        </Link>
      }
    >
      <Table
        label="Last calls"
        rows={calls}
        rowKey={({ id }) => id}
        isLoading={isLoading}
        isWhole={isWhole}
        empty={
          <Empty title="No call">
            None of the last thousand calls of each process was sent to it.
          </Empty>
        }
        columns={[
          {
            id: 'outcome',
            head: 'Outcome',
            isHead: true,
            cell: (call) => (
              <Link to="/calls/$id" params={{ id: call.id }}>
                <State look={callLook(call)} />
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
            id: 'key',
            head: 'Key',
            isWide: true,
            cell: ({ keyId }) => <span className="mono">{keyId ?? unknownCell}</span>,
          },
          {
            id: 'first',
            head: 'First output',
            isNumber: true,
            isWide: true,
            cell: ({ firstOutputMs }) =>
              typeof firstOutputMs === 'number' ? duration(firstOutputMs) : unknownCell,
          },
          {
            id: 'time',
            head: 'Time',
            isNumber: true,
            isWide: true,
            cell: ({ durationMs }) => duration(durationMs),
          },
          {
            id: 'error',
            head: 'Error',
            isWide: true,
            cell: ({ error, accountId }) => (
              <span className="muted wrap-anywhere">
                {accountId && accountId !== id ? `${accountId} served it` : error}
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}
