import { Link } from '@tanstack/react-router'

import { callLook } from '../../calls/looks.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { OverviewError } from './types.ts'

/** Which calls went wrong last. */
export function ErrorsCard({
  errors,
  isLoading,
  isWhole,
}: {
  readonly errors: readonly OverviewError[] | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
}) {
  return (
    <Card
      isFlush
      title="Last errors"
      aside={
        <Link to="/calls" search={{ show: 'ended' }} className="link">
          All calls
        </Link>
      }
    >
      <Table
        label="Last errors"
        rows={errors}
        rowKey={({ id }) => id}
        isLoading={isLoading}
        isWhole={isWhole}
        empty={
          <Empty title="No error">None of the last thousand calls of each process failed.</Empty>
        }
        columns={[
          {
            id: 'call',
            head: 'Outcome',
            isHead: true,
            cell: (error) => (
              <Link to="/calls/$id" params={{ id: error.id }}>
                <State look={callLook(error)} />
              </Link>
            ),
          },
          {
            id: 'what',
            head: 'Model',
            cell: ({ model, error, keyId }) => (
              <>
                <span className="mono wrap-anywhere">{model ?? unknownCell}</span>
                <p className="secondary wrap-anywhere">
                  {[error, keyId && `key ${keyId}`].filter(Boolean).join(', ')}
                </p>
              </>
            ),
          },
          { id: 'at', head: 'Ended', isNumber: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
        ]}
      />
    </Card>
  )
}
