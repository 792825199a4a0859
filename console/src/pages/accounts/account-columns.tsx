import { AccountWhy } from '../../accounts/AccountWhy.tsx'
import { FailedShare } from '../../accounts/FailedShare.tsx'
import { lookOf } from '../../accounts/looks.ts'
import { count, unknownCell } from '../../format/numbers.ts'
import { Meter } from '../../ui/Bars.tsx'
import { Count } from '../../ui/Count.tsx'
import { AccountLink } from '../../ui/links.tsx'
import { Pill } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import type { AccountRow } from './row.ts'

/** The columns of the list of accounts. */
export const accountColumns: readonly Column<AccountRow>[] = [
  {
    id: 'account',
    head: 'Account',
    isHead: true,
    width: '18%',
    cell: ({ id, provider }) => (
      <>
        <AccountLink id={id} isHead />
        <p className="secondary account-provider">{provider}</p>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: '30%',
    cell: (account) => (
      <>
        <Pill look={lookOf(account)} />
        <p className="secondary account-why wide">
          <AccountWhy account={account} />
        </p>
      </>
    ),
  },
  {
    id: 'models',
    head: 'Models',
    isWide: true,
    cell: ({ models }) => (
      <span className="mono">
        {models.slice(0, 2).join(', ')}
        {models.length > 2 && <span className="muted"> and {models.length - 2} more</span>}
      </span>
    ),
  },
  {
    id: 'flight',
    head: 'In flight',
    isNumber: true,
    cell: ({ inFlight, transport }) => (
      <InFlight value={inFlight} most={transport?.maxConcurrent} />
    ),
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
  {
    id: 'order',
    head: (
      <>
        Priority
        <br />× weight
      </>
    ),
    isNumber: true,
    isWide: true,
    cell: ({ priority, weight }) =>
      priority === null || priority === undefined ? (
        unknownCell
      ) : (
        <>
          {priority} <span className="muted">× {weight ?? unknownCell}</span>
        </>
      ),
  },
]

/** Calls in flight, of the most. */
function InFlight({
  value,
  most,
}: {
  readonly value: number
  readonly most: number | null | undefined
}) {
  if (most === null || most === undefined) return <Count value={value} />
  return (
    <>
      {count(value)} <span className="muted">of {count(most)}</span>
      <br />
      <Meter value={value} most={most} />
    </>
  )
}
