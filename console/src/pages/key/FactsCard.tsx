import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { TeamLink } from '../../ui/links.tsx'
import { Time } from '../../ui/Time.tsx'
import { managerText } from '../../ui/managed.ts'
import type { OneKey } from './acts.tsx'

/** The facts of the key. */
export function FactsCard({ apiKey }: { readonly apiKey: OneKey }) {
  const { team, models, labels, managedBy, createdAt, createdBy, rotatedAt, revokedAt } = apiKey
  const { expiresAt, graceUntil, lastUsedAt, explain, losses, errors } = apiKey
  return (
    <Card title="Key">
      <Definition
        items={[
          ['Team', team ? <TeamLink key="team" id={team} /> : 'none'],
          [
            'Models',
            models ? (
              <span key="models" className="mono">
                {models.join(', ')}
              </span>
            ) : (
              'all'
            ),
          ],
          ['Expires', expiresAt ? <Time key="expires" at={expiresAt} /> : 'never'],
          ['Last used', lastUsedAt ? <Time key="used" at={lastUsedAt} /> : 'never'],
          !!graceUntil && ['Former secret works until', <Time key="grace" at={graceUntil} />],
          ['Labels', labels.map(({ name, value }) => `${name}=${value}`).join(' ') || 'none'],
          ['Sees its routes', explain ? 'yes' : 'no'],
          !!losses && ['Losses', losses.toLowerCase()],
          !!errors && ['Errors', errors.toLowerCase()],
          ['Managed by', managerText(managedBy)],
          !!createdAt && [
            'Created',
            <span key="created">
              <Time at={createdAt} /> {createdBy && <span className="muted">by {createdBy}</span>}
            </span>,
          ],
          !!rotatedAt && ['Rotated', <Time key="rotated" at={rotatedAt} />],
          !!revokedAt && ['Revoked', <Time key="revoked" at={revokedAt} />],
        ]}
      />
    </Card>
  )
}
