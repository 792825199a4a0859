import { Link } from '@tanstack/react-router'

import { unknownCell } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { AccountAct } from './types.ts'

/** What administrators did to the account. */
export function ActsCard({
  id,
  acts,
  isLoading,
  isWhole,
}: {
  readonly id: string
  readonly acts: readonly AccountAct[] | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
}) {
  return (
    <Card
      isFlush
      title="Last acts"
      aside={
        <Link to="/audit" search={{ action: 'account', target: id }} className="link">
          All of them
        </Link>
      }
    >
      <Table
        label="Last acts"
        rows={acts}
        rowKey={({ id }) => id}
        isLoading={isLoading}
        isWhole={isWhole}
        empty={<Empty title="No act">No administrator has changed it.</Empty>}
        columns={[
          {
            id: 'act',
            head: 'Act',
            isHead: true,
            cell: ({ action, result }) => (
              <>
                <span className="mono">{action}</span>
                {result !== 'DONE' && <span className="muted"> {result.toLowerCase()}</span>}
              </>
            ),
          },
          { id: 'at', head: 'When', cell: ({ at }) => <Time at={at} /> },
          {
            id: 'actor',
            head: 'Who',
            cell: ({ actor }) => (
              <span className="mono wrap-anywhere">{actor?.id ?? unknownCell}</span>
            ),
          },
          {
            id: 'reason',
            head: 'Why',
            isWide: true,
            cell: ({ reason }) => reason ?? <span className="muted">no reason given</span>,
          },
        ]}
      />
    </Card>
  )
}
