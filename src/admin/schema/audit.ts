import type { AuditEntry } from '../audit.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfPage, pageOf } from '../connections.ts'

/** Adds `audit`: the acts of administrators, the newest first. */
export function addAudit(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const result = builder.enumType('AuditResult', {
    description: 'STARTED: the process ended before it wrote the result.',
    values: ['STARTED', 'DONE', 'FAILED', 'REFUSED'] as const,
  })
  const actor = builder.objectRef<NonNullable<AuditEntry['actor']>>('Actor').implement({
    description: 'Who did it.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.exposeString('kind', { description: 'token, session or process.' }),
      role: t.exposeString('role'),
    }),
  })
  const target = builder.objectRef<AuditEntry['target']>('AuditTarget').implement({
    description: 'What an act is about.',
    authScopes,
    fields: (t) => ({ type: t.exposeString('type'), id: t.exposeID('id') }),
  })
  const entry = builder.objectRef<AuditEntry>('AuditEntry').implement({
    description: 'An act, a sign-in or a refusal. It contains no secret.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id', { description: 'In the order of time.' }),
      at: t.expose('at', { type: 'DateTime' }),
      action: t.exposeString('action', { description: 'The noun and the verb: account.disable.' }),
      actor: t.field({ type: actor, nullable: true, resolve: (one) => one.actor }),
      target: t.field({ type: target, resolve: (one) => one.target }),
      result: t.expose('result', { type: result }),
      message: t.exposeString('message', { nullable: true }),
      reason: t.exposeString('reason', { nullable: true }),
      requestId: t.exposeString('requestId', { nullable: true }),
      address: t.exposeString('address'),
      agent: t.exposeString('agent'),
      before: t.field({ type: 'JSON', nullable: true, resolve: (one) => one.before }),
      after: t.field({ type: 'JSON', nullable: true, resolve: (one) => one.after }),
    }),
  })
  builder.queryField('audit', (t) =>
    t.connection({
      type: entry,
      description: 'The acts of administrators, the newest first.',
      authScopes,
      complexity: complexityOfPage,
      resolve: (_root, page, { services }) => pageOf(page, ({ id }) => id, services.audit.list),
    }),
  )
}
