import type { ReactNode } from 'react'

import { unknownCell } from '../format/numbers.ts'
import { Meter } from '../ui/Bars.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { Countdown } from '../ui/Time.tsx'
import '../ui/link-button.css'
import { SubjectLink } from './SubjectLink.tsx'
import { type LimitView, amountText, limitName, limitTerms, wholeAmount } from './words.ts'

/** Properties of `LimitsTable`. */
export interface LimitsTableProps {
  readonly limits: readonly LimitView[] | undefined
  /** Whether the limits are of several subjects. */
  readonly hasSubjects?: boolean
  readonly onOpen: (limit: LimitView) => void
  readonly isLoading: boolean
  readonly isWhole: boolean
  readonly empty: ReactNode
}

/** Limits, with the spent amount of each, and when its period begins again. */
export function LimitsTable({ limits, hasSubjects = false, onOpen, ...rest }: LimitsTableProps) {
  return (
    <Table
      {...rest}
      label="Limits"
      rows={limits}
      rowKey={({ id }) => id}
      columns={columnsOf(hasSubjects, onOpen)}
    />
  )
}

function columnsOf(
  hasSubjects: boolean,
  onOpen: (limit: LimitView) => void,
): readonly Column<LimitView>[] {
  const subject: Column<LimitView> = {
    id: 'subject',
    head: 'Of',
    cell: ({ subject }) => <SubjectLink subject={subject} />,
  }
  return [
    {
      id: 'limit',
      head: 'Limit',
      isHead: true,
      cell: (limit) => (
        <>
          <button type="button" className="link-button" onClick={() => onOpen(limit)}>
            {limitName(limit)}
          </button>
          <p className="secondary">{limitTerms(limit)}</p>
        </>
      ),
    },
    ...(hasSubjects ? [subject] : []),
    {
      id: 'spent',
      head: 'Spent',
      isNumber: true,
      width: '22%',
      cell: (limit) => <Spent limit={limit} />,
    },
    {
      id: 'held',
      head: 'Held',
      isNumber: true,
      isWide: true,
      cell: (limit) => known(limit, limit.held),
    },
    {
      id: 'remaining',
      head: 'Remaining',
      isNumber: true,
      isWide: true,
      cell: (limit) => known(limit, limit.remaining),
    },
    {
      id: 'resets',
      head: 'Begins again',
      isNumber: true,
      isWide: true,
      cell: ({ resetsAt, kind, window }) => {
        if (resetsAt) return <Countdown until={resetsAt} />
        return kind === 'CONCURRENT' || window === 'total' ? 'never' : unknownCell
      },
    },
  ]
}

/** The spent part of the amount. */
export function Spent({ limit }: { readonly limit: LimitView }) {
  const { spent } = limit
  const most = wholeAmount(limit)
  return (
    <>
      {known(limit, spent)} <span className="muted">of {amountText(limit, most)}</span>
      {spent !== null && spent !== undefined && (
        <>
          <br />
          <Meter value={Number(spent)} most={most} />
        </>
      )}
    </>
  )
}

function known(limit: LimitView, amount: number | string | null | undefined): string {
  return amount === null || amount === undefined ? unknownCell : amountText(limit, amount)
}
