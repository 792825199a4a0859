import { Link } from '@tanstack/react-router'

import { FailedShare } from '../../accounts/FailedShare.tsx'
import { lookOf } from '../../accounts/looks.ts'
import { count } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Count } from '../../ui/Count.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AccountLink } from '../../ui/links.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import type { OverviewAccount } from './types.ts'

/** The accounts, those in trouble first. */
export function AccountsCard({
  accounts,
  total,
  isLoading,
  isWhole,
}: {
  readonly accounts: readonly OverviewAccount[] | undefined
  /** How many there are; undefined: not known. */
  readonly total: number | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
}) {
  return (
    <Card
      isFlush
      title="Accounts"
      aside={
        <Link to="/accounts" className="link">
          All {total === undefined ? 'accounts' : count(total)}
        </Link>
      }
    >
      <Table
        label="Accounts"
        rows={accounts?.slice(0, 12)}
        rowKey={({ id }) => id}
        isLoading={isLoading}
        isWhole={isWhole}
        empty={<Empty title="There is no account">No call can be served.</Empty>}
        columns={[
          {
            id: 'account',
            head: 'Account',
            isHead: true,
            cell: ({ id }) => <AccountLink id={id} isHead />,
          },
          { id: 'state', head: 'State', cell: (account) => <State look={lookOf(account)} /> },
          {
            id: 'flight',
            head: 'In flight',
            isNumber: true,
            cell: ({ inFlight }) => <Count value={inFlight} />,
          },
          {
            id: 'calls',
            head: 'Calls, 5 min',
            isNumber: true,
            isWide: true,
            cell: ({ recentCalls: { calls } }) => <Count value={calls} />,
          },
          {
            id: 'failed',
            head: 'Failed',
            isNumber: true,
            isWide: true,
            cell: ({ recentCalls }) => <FailedShare {...recentCalls} />,
          },
        ]}
      />
    </Card>
  )
}
