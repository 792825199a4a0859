import { AccountLink } from '../ui/links.tsx'
import { Shape } from '../ui/shapes.tsx'
import { type Attempt, faultText } from './call.ts'

/** The attempts that failed, and who caused them. */
export function FailedAttempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const failed = attempts.filter(({ outcome }) => outcome === 'FAILED')
  if (failed.length === 0) return null
  return (
    <section>
      <h3>Failed attempts</h3>
      <ul className="call-list">
        {failed.map(({ number, accountId, status, error, fault, dialect, reusedConnection }) => (
          <li key={number}>
            <span className="call-failed">
              <Shape name="cross" />
            </span>
            <div>
              <AccountLink id={accountId} />{' '}
              {typeof status === 'number' ? `answered ${status}` : 'gave no status'}
              <p className="secondary">
                {[
                  error,
                  faultText(fault ?? null),
                  `in ${dialect}`,
                  reusedConnection && 'on a connection that had served before',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
