import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import {
  type Page,
  type PageArguments,
  complexityOfWalk,
  namedAfter,
  pageOf,
} from '../connections.ts'
import type { AdminContext } from '../context.ts'
import { notFound } from '../failures.ts'
import { listPage } from '../list-page.ts'
import { readStore } from '../read-store.ts'
import type { Session } from '../sessions.ts'
import { enumsOf } from './enums.ts'
import { addIdPayload } from './payloads.ts'

/** Adds the sessions of browsers: all of them for admins, the own one for everybody else. */
export function addSessions(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const session = builder.objectRef<Session>('Session').implement({
    description: 'A session of a browser. Its cookie is never returned.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      principalId: t.exposeID('principalId', {
        description: 'The id of the token that it began with, or `oidc/` and the id of the user.',
      }),
      role: t.expose('role', {
        type: enumsOf(builder).role,
        description: 'The role when it began.',
      }),
      beganAt: t.expose('beganAt', { type: 'DateTime' }),
      usedAt: t.expose('usedAt', { type: 'DateTime', description: 'To the minute.' }),
      idleUntil: t.expose('idleUntil', {
        type: 'DateTime',
        description: 'When it ends if nobody uses it until then.',
      }),
      endsAt: t.expose('endsAt', { type: 'DateTime', description: 'At the latest.' }),
      address: t.exposeString('address'),
      agent: t.exposeString('agent'),
      isCurrent: t.boolean({
        description: 'Whether it is the session of this request.',
        resolve: ({ id }, _args, { principal }) => id === principal.sessionId,
      }),
    }),
  })
  builder.queryField('sessions', (t) =>
    t.connection(
      {
        type: session,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'The sessions that have not ended: all for admins, otherwise the own one. A page examines 2,000 at most: it may be short, and its cursor leads on.',
        authScopes,
        complexity: complexityOfWalk,
        resolve: (_root, page, context) =>
          readStore(context, (signal) => list(context, page, signal)),
      },
      ...namedAfter('Session'),
    ),
  )
  const input = builder.inputType('EndSessionInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: 'For the audit record.' }),
    }),
  })
  const success = addIdPayload(builder, 'EndSessionSuccess')
  addAct(builder, {
    name: 'endSession',
    description: 'Ends a session in all processes: any for admins, otherwise the own one.',
    role: 'viewer',
    action: 'session.end',
    input,
    success,
    target: ({ id }) => ({ type: 'session', id: id.slice(0, 64) }),
    // The same answer for a session of another and for none: it says of neither that it exists.
    deny: ({ id }, { principal }) =>
      principal.role === 'admin' || id === principal.sessionId ? undefined : missing(id),
    async run({ id }, { services: { sessions } }) {
      const isEnded = /^[\da-f]{24}$/.test(id) && (await sessions.end(id))
      return isEnded ? { done: { id } } : missing(id)
    },
  })
}

const missing = (id: string) => notFound('session', id.slice(0, 64))

const idOf = ({ id }: Session) => id

async function list(
  { principal, services: { sessions } }: AdminContext,
  page: PageArguments,
  signal: AbortSignal,
): Promise<Page<Session>> {
  if (principal.role === 'admin') {
    // Sessions that are over are many where no user signs out.
    return listPage(page, { list: sessions.positions, matches: () => true }, signal)
  }
  const own =
    principal.sessionId === undefined ? undefined : await sessions.get(principal.sessionId)
  return pageOf(page, idOf, ({ after = '' }) => (own && after < own.id ? [own] : []))
}
