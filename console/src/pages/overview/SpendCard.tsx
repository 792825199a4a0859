import { Link } from '@tanstack/react-router'

import { useStep } from '../../api/clock.ts'
import { useAnswer } from '../../api/query.ts'
import { count, share, tokens } from '../../format/numbers.ts'
import {
  type LimitView,
  amountText,
  limitName,
  subjectText,
  wholeAmount,
} from '../../limits/words.ts'
import { clock } from '../../format/time.ts'
import { Bars, Meter } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { caveats, costText } from '../../usage/columns.tsx'
import { OverviewSpend } from './operations.generated.ts'

const tenMinutesMs = 600_000

/** A limit is near from this share on. */
const nearShare = 0.8

/** What calls have cost since midnight, and which limits are near. */
export function SpendCard() {
  const { from, to } = useToday()
  const variables = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const page = useAnswer(OverviewSpend, variables, { every: 60_000, isOn: to > from })
  const { isLoading } = page
  // Before the first ten minutes of a day, the answer is of the day before.
  const data = to > from ? page.data : undefined
  const totals = data?.usage?.totals
  const near = data?.limits?.filter(isNear)
  return (
    <Card title="Today" aside={`counted in full until ${clock(to)}`}>
      <AnswerNotices page={page} names={{ usage: 'what was used', limits: 'the limits' }} />
      {isLoading && to > from && <Bars lines={2} />}
      {to === from && <p className="muted">Nothing of today is counted in full yet.</p>}
      {totals && (
        <Definition
          items={[
            [
              'Spent',
              <span key="spent">
                <strong>{costText(totals)}</strong>
                <span className="secondary"> {caveats(totals)}</span>
              </span>,
            ],
            ['Calls', count(totals.calls)],
            ['Tokens in, out', tokens(totals.inputTokens, totals.outputTokens)],
          ]}
        />
      )}
      {near && (
        <ul className="near">
          {near.map((limit) => (
            <li key={limit.id}>
              <Link to="/limits" search={{ limit: limit.id }} className="quiet-link wrap-anywhere">
                {limitName(limit)} of {subjectText(limit)}
              </Link>{' '}
              <span className="secondary">{wordsOf(limit)}</span>
              <Meter value={Number(limit.spent)} most={wholeAmount(limit)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function isNear(limit: LimitView): boolean {
  const { spent, kind } = limit
  if (spent === null || spent === undefined || kind === 'CONCURRENT') return false
  return Number(spent) >= wholeAmount(limit) * nearShare
}

/** `$41 of $50, 82 %, refuses`. */
function wordsOf(limit: LimitView): string {
  const { spent, action } = limit
  const most = wholeAmount(limit)
  const part = share(Number(spent), most)
  return [
    `${amountText(limit, spent ?? 0)} of ${amountText(limit, most)}`,
    part,
    action === 'WARN' ? 'warns' : 'refuses',
  ]
    .filter(Boolean)
    .join(', ')
}

/** The local day, from midnight to the last whole ten minutes, which is all that is counted in full. */
function useToday(): { readonly from: number; readonly to: number } {
  const to = useStep(tenMinutesMs)
  const midnight = new Date(to).setHours(0, 0, 0, 0)
  return { from: Math.floor(midnight / tenMinutesMs) * tenMinutesMs, to }
}
