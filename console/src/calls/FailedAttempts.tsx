import { AccountWhy } from '../accounts/AccountWhy.tsx'
import { lookOf } from '../accounts/looks.ts'
import { AccountLink } from '../ui/links.tsx'
import { Shape } from '../ui/shapes.tsx'
import { State } from '../ui/State.tsx'
import { type Attempt, faultText } from './call.ts'

/** The attempts that failed, who caused them, and what keeps calls from their accounts now. */
export function FailedAttempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const failed = attempts.filter(({ outcome }) => outcome === 'FAILED')
  if (failed.length === 0) return null
  return (
    <section>
      <h3>Failed attempts</h3>
      <ul className="call-list">
        {failed.map(({ number, accountId, account, status, ...attempt }) => (
          <li key={number}>
            <span className="call-failed">
              <Shape name="cross" />
            </span>
            <div>
              <AccountLink id={accountId} />{' '}
              {typeof status === 'number' ? `answered ${status}` : 'gave no status'}
              <p className="secondary">
                {[
                  attempt.error,
                  faultText(attempt.fault ?? null),
                  `in ${attempt.dialect}`,
                  attempt.reusedConnection && 'on a connection that had served before',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </p>
              {account && account.serves !== 'ALL' && (
                <p className="secondary">
                  <State look={lookOf(account)}>now</State> <AccountWhy account={account} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
