import { counted } from '../format/numbers.ts'
import { sentence } from '../format/words.ts'
import { AccountLink } from '../ui/links.tsx'
import { Shape } from '../ui/shapes.tsx'
import { TriedAgain } from '../ui/Time.tsx'
import type { Excluded } from './call.ts'

/** The accounts that could not serve a call, with each reason in full. */
export function ExcludedList({
  excluded,
  omitted,
}: {
  readonly excluded: readonly Excluded[]
  readonly omitted: number
}) {
  return (
    <ul className="call-list">
      {excluded.map(({ accountId, by, reason, status, until, field }) => (
        <li key={accountId}>
          <span className="muted">
            <Shape name="dash" />
          </span>
          <div>
            <AccountLink id={accountId} /> {reason}
            <p className="secondary">
              {sentence(factsOf(by, status ?? undefined, field ?? undefined))}
              {until && (
                <>
                  {' '}
                  <TriedAgain until={until} />
                </>
              )}
            </p>
          </div>
        </li>
      ))}
      {omitted > 0 && <li className="muted">and {counted(omitted, 'more account')}</li>}
    </ul>
  )
}

/** Rules of the gateway: the reasons that they give say all. */
const ownRules: ReadonlySet<string> = new Set([
  'account-health',
  'bindings',
  'concurrency',
  'files',
  'jobs',
  'limits',
  'operator',
])

/** What the reason of an exclusion does not say. */
function factsOf(by: string, status: number | undefined, field: string | undefined): string {
  const isOwn = ownRules.has(by)
  const facts = [
    !isOwn && `by the rule ${by}`,
    !isOwn && status !== undefined && `status ${status}`,
    field !== undefined && `because of the field ${field}`,
  ]
  return facts.filter(Boolean).join(', ')
}

/** The fields that the account does not get. */
export function LossList({
  losses,
  omitted,
}: {
  readonly losses: readonly { readonly field: string; readonly reason: string }[]
  readonly omitted: number
}) {
  if (losses.length === 0) return <p className="muted">Nothing is lost.</p>
  return (
    <ul className="call-list">
      {losses.map(({ field, reason }) => (
        <li key={`${field} ${reason}`}>
          <div>
            <code>{field}</code> <span className="muted">{reason}</span>
          </div>
        </li>
      ))}
      {omitted > 0 && <li className="muted">and {counted(omitted, 'more field')}</li>}
    </ul>
  )
}
