import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { unknownCell } from '../format/numbers.ts'
import { Meter } from '../ui/Bars.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { Countdown } from '../ui/Time.tsx'
import './limits.css'
import { SubjectLink } from './SubjectLink.tsx'
import {
  type LimitView,
  amountText,
  limitName,
  limitTerms,
  usedShare,
  wholeAmount,
} from './words.ts'

/** Properties of `LimitsTable`. */
export interface LimitsTableProps {
  readonly limits: readonly LimitView[] | undefined
  /** Whether the limits are of several subjects. */
  readonly hasSubjects?: boolean
  readonly isLoading: boolean
  readonly isWhole: boolean
  readonly empty: ReactNode
}

/** Limits, with the spent amount of each, and when its period begins again. */
export function LimitsTable({ limits, hasSubjects = false, ...rest }: LimitsTableProps) {
  return (
    <Table
      {...rest}
      label="Limits"
      rows={limits}
      rowKey={({ id }) => id}
      columns={columnsOf(hasSubjects)}
      rowHeight={53}
    />
  )
}

function columnsOf(hasSubjects: boolean): readonly Column<LimitView>[] {
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
          <LimitLink limit={limit} />
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
      head: 'For calls in flight',
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
      head: 'Resets in',
      isNumber: true,
      isWide: true,
      cell: ({ resetsAt, kind, window }) => {
        if (resetsAt) return <Countdown until={resetsAt} />
        return kind === 'CONCURRENT' || window === 'total' ? 'never' : unknownCell
      },
    },
  ]
}

/** The name of a limit, which opens it. */
function LimitLink({ limit }: { readonly limit: LimitView }) {
  return (
    <Link
      to="."
      search={(former) => ({ ...former, limit: limit.id })}
      resetScroll={false}
      className="quiet-link limit-name"
    >
      {limitName(limit)}
    </Link>
  )
}

/** The spent part of the amount, and below it as a bar. */
export function Spent({ limit }: { readonly limit: LimitView }) {
  return (
    <>
      <SpentText limit={limit} />
      <br />
      <SpentMeter limit={limit} />
    </>
  )
}

function SpentText({ limit }: { readonly limit: LimitView }) {
  return (
    <span className="nowrap">
      {known(limit, limit.spent)}{' '}
      <span className="muted">of {amountText(limit, wholeAmount(limit))}</span>
    </span>
  )
}

/** The spent part as a bar, and behind it what calls in flight hold; nothing where these are not known. */
function SpentMeter({ limit }: { readonly limit: LimitView }) {
  const { spent, held } = limit
  if (spent === null || spent === undefined) return null
  return <Meter value={Number(spent)} held={Number(held ?? 0)} most={wholeAmount(limit)} />
}

/** So many limits are in a row of another list: those that are used most. */
const mostShown = 2

/** The fullest limits of a subject, in a row of a list of subjects. */
export function LimitBars({
  limits,
}: {
  readonly limits: readonly LimitView[] | null | undefined
}) {
  if (!limits) return unknownCell
  if (limits.length === 0) return <span className="muted">none</span>
  const fullest = limits.toSorted((one, other) => usedShare(other) - usedShare(one))
  const more = limits.length - mostShown
  return (
    <>
      {fullest.slice(0, mostShown).map((limit) => (
        <p key={limit.id} className="limit-bar">
          <span className="secondary">{limitName(limit)}</span>
          <SpentMeter limit={limit} />
          <SpentText limit={limit} />
        </p>
      ))}
      {more > 0 && <p className="secondary">and {more} more</p>}
    </>
  )
}

function known(limit: LimitView, amount: number | string | null | undefined): string {
  return amount === null || amount === undefined ? unknownCell : amountText(limit, amount)
}
