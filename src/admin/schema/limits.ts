import type { LimitSubject } from '../../contract/quota.ts'
import { findAccount } from '../accounts/find.ts'
import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import {
  type LimitChanged,
  grantExtra,
  quotaOf,
  removeLimit,
  resetLimit,
  setLimit,
} from '../call-limits.ts'
import { effortOfWalk, sizeOf } from '../connections.ts'
import { type LimitView, listLimitViews, nearestLimits } from '../limit-views.ts'
import { findKeyView } from '../keys.ts'
import { actorOf } from '../principal.ts'
import { catchUpWith, readStore } from '../read-store.ts'
import { badInput } from '../store-errors.ts'
import { listTeamViews } from '../teams.ts'
import { enumsOf } from './enums.ts'
import { addIdPayload, versionFields } from './payloads.ts'

/** The limits of an answer that names no number. */
const usualNumber = 100

/** The types whose objects have limits, which belong to other files. */
const subjectsWithLimits = [
  ['Key', 'key'],
  ['Team', 'team'],
] as const

/** Adds the limits of keys, teams, accounts and the gateway, and the acts on them. */
export function addLimits(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const { managedBy } = enumsOf(builder)
  const kind = builder.enumType('LimitKind', {
    description: 'What a limit counts. CONCURRENT: calls at once.',
    values: {
      REQUESTS: { value: 'requests' },
      TOKENS: { value: 'tokens' },
      INPUT_TOKENS: { value: 'inputTokens' },
      OUTPUT_TOKENS: { value: 'outputTokens' },
      COST: { value: 'cost' },
      CONCURRENT: { value: 'concurrent' },
    } as const,
  })
  const action = builder.enumType('LimitAction', {
    description: 'WARN: it counts, and refuses nothing.',
    values: { REFUSE: { value: 'refuse' }, WARN: { value: 'warn' } } as const,
  })
  const per = builder.enumType('LimitPer', {
    description: 'END_USER: each end user that requests name has the amount.',
    values: { END_USER: { value: 'endUser' } } as const,
  })
  const subjectType = builder.enumType('LimitSubjectType', {
    values: {
      KEY: { value: 'key' },
      TEAM: { value: 'team' },
      GATEWAY: { value: 'gateway' },
      ACCOUNT: { value: 'account' },
    } as const,
  })
  const subject = builder.objectRef<LimitSubject>('LimitSubject').implement({
    description: 'What a limit limits.',
    authScopes,
    fields: (t) => ({
      type: t.expose('type', { type: subjectType }),
      id: t.id({
        nullable: true,
        description: 'null: the gateway.',
        resolve: ({ id }) => (id === '' ? null : id),
      }),
      // The types of the subjects belong to other files.
      account: t.field({
        type: 'Account' as never,
        nullable: true,
        description: 'null: it is none, or there is no account of this id.',
        resolve: ({ type, id }, _args, { services }) =>
          (type === 'account' ? findAccount(services, id) : undefined) as never,
      }),
      key: t.field({
        type: 'Key' as never,
        nullable: true,
        description: 'null: it is none, or there is no API key of this id.',
        // It reads a record.
        complexity: 3,
        resolve: async ({ type, id }, _args, context) =>
          (type === 'key'
            ? await readStore(context, () => findKeyView(context.services, id))
            : undefined) as never,
      }),
      team: t.field({
        type: 'Team' as never,
        nullable: true,
        description: 'null: it is none, or there is no team of this id.',
        resolve: ({ type, id }, _args, { services }) =>
          (type === 'team'
            ? listTeamViews(services).find((team) => team.id === id)
            : undefined) as never,
      }),
    }),
  })
  const subjectInput = builder.inputType('LimitSubjectInput', {
    fields: (t) => ({
      type: t.field({ type: subjectType, required: true }),
      id: t.id({ description: 'Absent for the gateway.' }),
    }),
  })
  const extra = builder.objectRef<NonNullable<LimitView['extra']>>('LimitExtra').implement({
    authScopes,
    fields: (t) => ({
      amount: t.expose('amount', { type: 'Amount' }),
      until: t.expose('until', { type: 'DateTime' }),
    }),
  })
  const limit = builder.objectRef<LimitView>('Limit').implement({
    description:
      'A limit of a key, a team, an account or the gateway, and what is spent of it. Amounts of COST are USD as a text.',
    authScopes,
    fields: (t) => {
      const state = (name: 'spent' | 'held' | 'remaining', description: string) =>
        t.field({ type: 'Amount', nullable: true, description, resolve: (one) => one[name] })
      return {
        id: t.exposeID('id', {
          description:
            'Of its subject, kind, window and models: another amount leaves it, and what was spent.',
        }),
        subject: t.field({ type: subject, resolve: (one) => one.subject }),
        kind: t.expose('kind', { type: kind }),
        amount: t.expose('amount', { type: 'Amount', description: 'Without the extra.' }),
        window: t.string({
          nullable: true,
          description: 'null: calls at once have none.',
          resolve: (one) => one.window,
        }),
        models: t.stringList({
          nullable: true,
          description: 'Names and patterns. null: all.',
          resolve: ({ models }) => models && [...models],
        }),
        per: t.field({
          type: per,
          nullable: true,
          description: 'null: all of the subject together.',
          resolve: (one) => one.per,
        }),
        action: t.expose('action', { type: action }),
        alerts: t.floatList({
          description: 'Shares of a budget at which operators are alerted.',
          resolve: (one) => [...one.alerts],
        }),
        strict: t.exposeBoolean('strict', {
          description: 'Whether no call begins that the rest does not cover.',
        }),
        zone: t.exposeString('zone', { description: 'The time zone of days, weeks and months.' }),
        managedBy: t.expose('managedBy', { type: managedBy }),
        extra: t.field({
          type: extra,
          nullable: true,
          description: 'What grantExtra has granted, while it lasts.',
          resolve: (one) => one.extra,
        }),
        spent: state('spent', 'In the present period. null: it counts each end user apart.'),
        held: state('held', 'What calls in flight may still spend. null: as `spent`.'),
        remaining: state('remaining', 'With the extra. null: as `spent`.'),
        resetsAt: t.field({
          type: 'DateTime',
          nullable: true,
          description:
            'When the period ends, or the whole amount of a rate is there again. null: never.',
          resolve: (one) => one.resetsAt,
        }),
        ...versionFields(t),
      }
    },
  })
  for (const [type, of] of subjectsWithLimits)
    builder.objectField(type as never, 'limits', (t) =>
      t.field({
        type: [limit],
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description: 'Its limits, in the order of their ids.',
        complexity: { field: 1, multiplier: 5 },
        resolve: ({ id }: { readonly id: string }, _args, context) =>
          readStore(context, () =>
            listLimitViews(context.services, { subject: { type: of, id }, first: usualNumber }),
          ),
      }),
    )
  builder.queryField('limits', (t) =>
    t.field({
      type: [limit],
      // While the store is away, the others of the operation are answered.
      nullable: true,
      description: 'The limits of a subject, or of all, in the order of their ids.',
      authScopes,
      args: {
        subject: t.arg({ type: subjectInput, description: 'Absent: of all.' }),
        first: t.arg.int({ description: 'From 1 to 100, the default.' }),
        after: t.arg.id({ description: 'Only limits behind this id.' }),
        nearest: t.arg.int({
          description:
            'From 1 to 20: instead the limits of all subjects that have used the largest shares of their amounts, the fullest first; of the first 1,000.',
        }),
      },
      complexity: ({ first, nearest }) =>
        nearest
          ? { field: effortOfWalk, multiplier: nearest }
          : { field: 1, multiplier: first ?? usualNumber },
      async resolve(_root, { subject: of, first, after, nearest }, context) {
        const { services } = context
        const { storedLimits, extras } = services.running
        await catchUpWith(context, 'limits', storedLimits, extras)
        if (typeof nearest === 'number') {
          if (nearest < 1 || nearest > 20) throw badInput('`nearest` is from 1 to 20.')
          return await readStore(context, (signal) => nearestLimits(services, nearest, signal))
        }
        return await readStore(context, () =>
          listLimitViews(services, {
            subject: of ? subjectOf(of) : undefined,
            first: sizeOf(first ?? usualNumber),
            after: after ?? undefined,
          }),
        )
      },
    }),
  )
  const target = ({ id }: { id: string }) => ({ type: 'limit', id })
  const changed = (name: string) =>
    builder.objectRef<Pick<LimitChanged, 'limit'>>(name).implement({
      authScopes,
      fields: (t) => ({
        limit: t.field({
          type: limit,
          nullable: true,
          description: 'null: it is done, and what is spent cannot be read.',
          resolve: (one) => one.limit,
        }),
      }),
    })
  addAct(builder, {
    name: 'setLimit',
    description:
      'Sets a limit, as a whole. Every process has it within two seconds. What was spent of a limit of the same subject, kind, window and models stays.',
    role: 'admin',
    action: 'limit.set',
    input: builder.inputType('SetLimitInput', {
      fields: (t) => ({
        subject: t.field({ type: subjectInput, required: true }),
        kind: t.field({ type: kind, required: true }),
        amount: t.field({
          type: 'Amount',
          required: true,
          description: 'The most in a window; for COST in USD. 0 refuses every call.',
        }),
        window: t.string({
          description:
            '1s, 1m, 1h, 12h, 30d, day, week, month or total. Absent: total for COST, otherwise 1m.',
        }),
        models: t.stringList({ description: 'Names and patterns. Absent: all.' }),
        per: t.field({ type: per, description: 'Absent: all of the subject together.' }),
        action: t.field({ type: action, description: 'Absent: REFUSE.' }),
        alerts: t.floatList({ description: 'Shares of a budget. Absent: 0.8 and 1.' }),
        strict: t.boolean({ description: 'Absent: false.' }),
        zone: t.string({ description: 'The time zone of days, weeks and months. Absent: UTC.' }),
        expectedVersion: t.int({
          description: 'The version that was read; 0: the limit is new. Absent: any.',
        }),
        dryRun: t.boolean({
          description: 'true: checks the input, shows what is spent already, and changes nothing.',
        }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: builder.objectRef<LimitChanged>('SetLimitSuccess').implement({
      authScopes,
      fields: (t) => ({
        limit: t.field({
          type: limit,
          nullable: true,
          description: 'null: it is done, and what is spent cannot be read.',
          resolve: (one) => one.limit,
        }),
        warnings: t.stringList({
          description: 'What is probably mistaken.',
          resolve: (one) => [...one.warnings],
        }),
        dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing was changed.' }),
      }),
    }),
    target: ({ subject: of }) => ({ type: 'limit', id: [of.type, of.id ?? ''].join(':') }),
    run({ subject: of, expectedVersion, dryRun, reason: _reason, ...quota }, context) {
      const { services, principal } = context
      const input = { subject: subjectOf(of), quota: quotaOf(quota), expectedVersion, dryRun }
      return setLimit(services, input, actorOf(principal))
    },
  })
  addAct(builder, {
    name: 'removeLimit',
    description: 'Deletes a limit of the store. A limit that is set again finds what was spent.',
    role: 'admin',
    action: 'limit.remove',
    input: builder.inputType('RemoveLimitInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addIdPayload(builder, 'RemoveLimitSuccess'),
    target,
    run: (input, { services }) => removeLimit(services, input),
  })
  addAct(builder, {
    name: 'resetLimit',
    description:
      'Forgets what was spent of a limit in the present period, also of one in the configuration file. What calls in flight hold stays.',
    role: 'admin',
    action: 'limit.reset',
    input: builder.inputType('ResetLimitInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: changed('ResetLimitSuccess'),
    target,
    run: ({ id }, { services }) => resetLimit(services, id),
  })
  addAct(builder, {
    name: 'grantExtra',
    description:
      'Grants a limit an amount besides its own until a time, also one in the configuration file, in place of what it was granted before; the amount 0 ends it.',
    role: 'admin',
    action: 'limit.grant',
    input: builder.inputType('GrantExtraInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        amount: t.field({ type: 'Amount', required: true, description: 'For COST in USD.' }),
        until: t.field({ type: 'DateTime', required: true }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: changed('GrantExtraSuccess'),
    target,
    run: (input, { services, principal }) => grantExtra(services, input, actorOf(principal)),
  })
}

function subjectOf({
  type,
  id,
}: {
  type: LimitSubject['type']
  id?: string | null | undefined
}): LimitSubject {
  return { type, id: id ?? '' }
}
