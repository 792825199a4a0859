import { type AuditEntry, actorKinds, auditIdForm } from '../../audit/log.ts'
import { sealStates } from '../../audit/seal.ts'
import type { AdminBuilder } from '../builder.ts'
import { listAudit } from '../audit-pages.ts'
import { checkCursor, complexityOfWalk, namedAfter } from '../connections.ts'
import { readStore } from '../read-store.ts'
import { roles } from '../roles.ts'
import { enumsOf, inUpperCase, knownIn } from './enums.ts'

/** Adds `audit`: the acts of administrators, the newest first. */
export function addAudit(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const result = builder.enumType('AuditResult', {
    description: 'STARTED: the process ended before it wrote the result.',
    values: ['STARTED', 'DONE', 'FAILED', 'REFUSED'] as const,
  })
  const kind = builder.enumType('ActorKind', {
    description: 'PROCESS: the gateway itself or its command line.',
    values: inUpperCase(actorKinds),
  })
  const ofLater = 'Null: a word of a later version.'
  const actor = builder.objectRef<NonNullable<AuditEntry['actor']>>('Actor').implement({
    description: 'Who did it.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.field({
        type: kind,
        nullable: true,
        description: ofLater,
        resolve: (one) => knownIn(actorKinds, one.kind),
      }),
      role: t.field({
        type: enumsOf(builder).role,
        nullable: true,
        description: ofLater,
        resolve: (one) => knownIn(roles, one.role),
      }),
    }),
  })
  const target = builder.objectRef<AuditEntry['target']>('AuditTarget').implement({
    description: 'What an act is about.',
    authScopes,
    fields: (t) => ({ type: t.exposeString('type'), id: t.exposeID('id') }),
  })
  const seal = builder.enumType('AuditSeal', {
    description:
      'INTACT: sealed as it is with a key of DRAGOMAN_SECRET_KEY. CHANGED: it was sealed as another. ' +
      'UNKNOWN_KEY: the process that answers does not have the key. UNKEYED: its digest fits, but ' +
      'everyone who can write to the store can write that too. ABSENT: of an earlier version, or removed.',
    values: sealStates,
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
      count: t.int({
        description: 'How many refusals of a minute it stands for.',
        resolve: (one) => one.count ?? 1,
      }),
      seal: t.field({
        type: seal,
        description: 'Whether it is as it was written.',
        resolve: (one, _args, { services }) => services.audit.check(one),
      }),
      prev: t.string({
        nullable: true,
        description: 'The hash of the record that the same process wrote before.',
        resolve: (one) => one.prev,
      }),
    }),
  })
  const filter = builder.inputType('AuditFilter', {
    fields: (t) => ({
      from: t.field({ type: 'DateTime', description: 'The first moment.' }),
      to: t.field({ type: 'DateTime', description: 'The moment behind the last.' }),
      actor: t.string({ description: 'The id of an actor.' }),
      action: t.string({ description: 'key.rotate, or the noun alone: key.' }),
      target: t.string({ description: 'The id of a target.' }),
    }),
  })
  builder.queryField('audit', (t) =>
    t.connection(
      {
        type: entry,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'The acts of administrators, the newest first. A page with a filter may be short; its cursor leads on.',
        authScopes,
        args: { filter: t.arg({ type: filter }) },
        complexity: complexityOfWalk,
        resolve: (_root, page, context) =>
          readStore(context, (signal) => {
            checkCursor(page, auditIdForm)
            return listAudit(context.services.audit, page, page.filter ?? {}, signal)
          }),
      },
      ...namedAfter('AuditEntry'),
    ),
  )
}
