import { unknownCell } from '../format/numbers.ts'
import { Definition } from '../ui/Definition.tsx'
import { AccountLink, KeyLink, TeamLink } from '../ui/links.tsx'
import type { CallFacts } from './call.ts'

/** Whose call it was, what was asked for, and what chose the account. */
export function RoutePart({ call }: { readonly call: CallFacts }) {
  const { keyId, team, dialect, operation, route, attempts } = call
  const last = attempts.at(-1)
  return (
    <section>
      <h3>Route</h3>
      <Definition
        items={[
          ['API key', keyId ? <KeyLink key="key" id={keyId} /> : 'none'],
          !!team && ['Team', <TeamLink key="team" id={team} />],
          [
            'Asked for',
            <span key="asked">
              <code>{route?.requested ?? call.model ?? unknownCell}</code>{' '}
              <span className="muted">
                in {dialect ?? 'unknown'}
                {operation && `, ${operation}`}
              </span>
            </span>,
          ],
          !!route &&
            route.resolved !== route.requested && [
              route.alias ? 'Alias of' : 'Model',
              <code key="resolved">{route.resolved}</code>,
            ],
          ...(route?.fallbacks ?? []).map(
            ({ model, next, error }) =>
              ['Fallback', `${model} to ${next}, because of ${error}`] as const,
          ),
          !!last && !!route?.rule && ['Chosen by', route.rule],
          !!route?.pinned && ['Another account', 'may not serve it'],
          !!last && [
            'Account',
            <span key="account">
              <AccountLink id={last.accountId} />{' '}
              <span className="muted">
                in {last.dialect}
                {last.native ? '' : ', translated'}
              </span>
            </span>,
          ],
          !!last?.upstreamModel &&
            last.upstreamModel !== route?.resolved && [
              'Its own name',
              <code key="upstream">{last.upstreamModel}</code>,
            ],
        ]}
      />
    </section>
  )
}
