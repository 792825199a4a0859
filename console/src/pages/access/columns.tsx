import { unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { State, type StateLook } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { browserOf } from './browser.ts'
import type { AdminSession, AdminToken } from './acts.tsx'

/** The columns of the list of admin tokens. */
export function tokenColumns(
  whyNot: string | undefined,
  onRevoke: (token: AdminToken) => void,
): readonly Column<AdminToken>[] {
  return [
    {
      id: 'token',
      head: 'Token',
      isHead: true,
      cell: ({ id, origin, problem }) => (
        <>
          <span className="mono wrap-anywhere">{id}</span>
          <p className="secondary">{problem ?? origins[origin]}</p>
        </>
      ),
    },
    { id: 'role', head: 'Role', cell: ({ role }) => role?.toLowerCase() ?? unknownCell },
    {
      id: 'state',
      head: 'State',
      cell: ({ state, revokedAt }) => (
        <>
          <State look={tokenLook(state)} />
          {revokedAt && (
            <p className="secondary">
              <Time at={revokedAt} />
            </p>
          )}
        </>
      ),
    },
    {
      id: 'expires',
      head: 'Expires',
      isWide: true,
      cell: ({ expiresAt }) =>
        expiresAt ? <Time at={expiresAt} /> : <span className="muted">never</span>,
    },
    {
      id: 'used',
      head: 'Last used',
      isWide: true,
      cell: ({ lastUsedAt, origin }) =>
        lastUsedAt ? (
          <Time at={lastUsedAt} />
        ) : (
          <span className="muted">{origin === 'STORE' ? 'never' : unknownCell}</span>
        ),
    },
    {
      id: 'created',
      head: 'Created',
      isWide: true,
      cell: ({ createdAt, createdBy }) => (
        <>
          {createdAt ? <Time at={createdAt} /> : <span className="muted">{unknownCell}</span>}
          <p className="secondary">{createdBy}</p>
        </>
      ),
    },
    {
      id: 'acts',
      head: <span className="hidden-label">Acts</span>,
      isNumber: true,
      cell: (token) =>
        token.state === 'ACTIVE' &&
        token.origin === 'STORE' && (
          <Button
            isSmall
            kind="danger"
            whyNot={whyNot}
            aria-label={`Revoke ${token.id}`}
            onClick={() => onRevoke(token)}
          >
            Revoke
          </Button>
        ),
    },
  ]
}

/** The columns of the list of sessions. */
export function sessionColumns(
  onEnd: (session: AdminSession) => void,
): readonly Column<AdminSession>[] {
  return [
    {
      id: 'session',
      head: 'Who',
      isHead: true,
      cell: ({ principalId, isCurrent }) => (
        <>
          <span className="mono wrap-anywhere">{principalId}</span>
          {isCurrent && <p className="secondary">this session</p>}
        </>
      ),
    },
    { id: 'role', head: 'Role', cell: ({ role }) => role.toLowerCase() },
    {
      id: 'from',
      head: 'From',
      isWide: true,
      cell: ({ address, agent }) => (
        <>
          <span className="mono">{address}</span>
          <p className="secondary wrap-anywhere" title={agent}>
            {browserOf(agent)}
          </p>
        </>
      ),
    },
    { id: 'began', head: 'Began', isWide: true, cell: ({ beganAt }) => <Time at={beganAt} /> },
    { id: 'used', head: 'Last used', isWide: true, cell: ({ usedAt }) => <Time at={usedAt} /> },
    {
      id: 'ends',
      head: 'Ends at the latest',
      isWide: true,
      cell: ({ endsAt }) => <Time at={endsAt} />,
    },
    {
      id: 'acts',
      head: <span className="hidden-label">Acts</span>,
      isNumber: true,
      cell: (session) => (
        <Button
          isSmall
          kind="danger"
          aria-label={`End the session of ${session.principalId} that began at ${session.beganAt}`}
          onClick={() => onEnd(session)}
        >
          End
        </Button>
      ),
    },
  ]
}

const origins = {
  ENVIRONMENT: 'of the environment',
  FILE: 'of the configuration file',
  STORE: 'of the store',
} as const

function tokenLook(state: AdminToken['state']): StateLook {
  if (state === 'ACTIVE') return { word: 'Active', shape: 'dot', tone: 'ok' }
  if (state === 'EXPIRED') return { word: 'Expired', shape: 'ring', tone: 'none' }
  if (state === 'REVOKED') return { word: 'Revoked', shape: 'cross', tone: 'none' }
  return { word: 'Damaged', shape: 'triangle', tone: 'bad' }
}
