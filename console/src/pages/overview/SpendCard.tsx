import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { gatewayNow } from '../../api/clock.ts'
import { useAnswer } from '../../api/query.ts'
import { money } from '../../format/money.ts'
import { count, counted, share, tokens } from '../../format/numbers.ts'
import { clock } from '../../format/time.ts'
import { Bars, Meter } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { OverviewSpend, type OverviewSpendQuery } from './operations.generated.ts'

type Limit = NonNullable<OverviewSpendQuery['limits']>[number]

const tenMinutesMs = 600_000

/** A limit is near from this share on. */
const nearShare = 0.8

/** What calls have cost since midnight, and which limits are near. */
export function SpendCard() {
  const { from, to } = useToday()
  const variables = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const page = useAnswer(OverviewSpend, variables, { every: 60_000, isOn: to > from })
  const { data, isLoading } = page
  const totals = data?.usage?.totals
  const near = data?.limits?.filter(isNear)
  return (
    <Card title="Today" aside={`until ${clock(to)}`}>
      <AnswerNotices page={page} names={{ usage: 'what was used', limits: 'the limits' }} />
      {isLoading && to > from && <Bars lines={2} />}
      {totals && (
        <Definition
          items={[
            ['Spent', <strong key="spent">{money(totals.cost)}</strong>],
            totals.unpricedCalls > 0 && ['Without a price', counted(totals.unpricedCalls, 'call')],
            ['Calls', count(totals.calls)],
            ['Tokens in, out', tokens(totals.inputTokens, totals.outputTokens)],
          ]}
        />
      )}
      {near && (
        <ul className="near">
          {near.map((limit) => (
            <li key={limit.id}>
              <Link to="/limits" className="quiet-link wrap-anywhere">
                {subjectOf(limit)}
              </Link>{' '}
              <span className="secondary">{wordsOf(limit)}</span>
              <Meter value={Number(limit.spent)} most={Number(limit.amount)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function isNear({ spent, amount, kind }: Limit): boolean {
  if (spent === null || spent === undefined || kind === 'CONCURRENT') return false
  return Number(spent) >= Number(amount) * nearShare
}

function subjectOf({ subject: { type, id } }: Limit): string {
  return type === 'GATEWAY' ? 'The gateway' : `${type.toLowerCase()} ${id ?? ''}`
}

function wordsOf({ kind, spent, amount, window, action }: Limit): string {
  const show = (value: number | string) => (kind === 'COST' ? money(value) : count(Number(value)))
  const name = kind.toLowerCase().replace('_', ' ')
  const per = window === null || window === undefined ? '' : ` a ${window}`
  const effect = action === 'WARN' ? 'warns' : 'refuses'
  return `${show(spent ?? 0)} of ${show(amount)} ${name}${per}: ${share(Number(spent), Number(amount))}, ${effect}`
}

/** The local day, from midnight to the last whole ten minutes, which is all that is counted in full. */
function useToday(): { readonly from: number; readonly to: number } {
  const whole = (at: number) => Math.floor(at / tenMinutesMs) * tenMinutesMs
  const [now, setNow] = useState(gatewayNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(gatewayNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return { from: whole(new Date(now).setHours(0, 0, 0, 0)), to: whole(now) }
}
