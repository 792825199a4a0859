import type { EnumRef } from '@pothos/core'

import type { AccountExclusion } from '../../contract/call.ts'
import type { AuditEntry } from '../../audit/log.ts'
import type { AdminBuilder, AdminBuilderTypes } from '../builder.ts'
import {
  type LiveEvent,
  type LiveTopic,
  type Missed,
  type ProcessEvent,
  liveTopics,
} from '../live/events.ts'
import type { Subscriber } from '../live/subscriber.ts'
import { badInput } from '../store-errors.ts'
import { filterOf } from './exchanges.ts'
import { edgesOf } from './edges.ts'

const authScopes = { viewer: true }

/** The event of a type. */
type Of<Type extends LiveEvent['type']> = Extract<LiveEvent, { type: Type }>

/** Adds the subscription `live`. */
export function addLive(builder: AdminBuilder): void {
  const topic = builder.enumType('LiveTopic', {
    description: 'What a subscription is about.',
    values: liveTopics,
  })
  const filter = builder.inputType('LiveFilter', {
    description:
      'All members that are given must apply. Events without a key, account, model or dialect pass.',
    fields: (t) => ({
      keyId: t.id(),
      accountId: t.id(),
      model: t.string(),
      dialect: t.string(),
    }),
  })
  const union = builder.unionType('LiveEvent', {
    description: 'A change in one of the processes. It contains no content and no secret.',
    types: [
      'PulseSample',
      ...exchangeEvents(builder),
      ...stateEvents(builder),
      jobChanged(builder),
      auditRecorded(builder),
      recordsChanged(builder, topic),
      missed(builder),
    ] as never,
    resolveType: (event) => (event as LiveEvent).type,
  })
  builder.subscriptionType({ description: 'Follows. One subscription carries all topics.' })
  builder.subscriptionField('live', (t) =>
    t.field({
      type: union,
      description:
        'Changes as they happen. A subscriber that reads too slowly loses the oldest of 256 events and gets `Missed`.',
      authScopes,
      args: {
        topics: t.arg({ type: [topic], required: true }),
        filter: t.arg({ type: filter, required: false }),
      },
      subscribe(_root, { topics, filter: wanted }, { services: { processes }, principal, signal }) {
        if (topics.length === 0) throw badInput('`topics` is empty: name at least one topic.')
        const subscriber = processes.live.subscribe(topics, filterOf(wanted), principal)
        // An answer without events, such as 406, never reads it.
        endWith(subscriber, signal)
        return subscriber
      },
      resolve: (event) => flattened(event) as never,
    }),
  )
}

function endWith(subscriber: Subscriber, signal: AbortSignal | undefined): void {
  if (signal?.aborted) subscriber.close()
  else signal?.addEventListener('abort', () => subscriber.close(), { once: true })
}

/** `PulseSample` is also the answer of `pulse`, which has no wrapper. */
function flattened(event: LiveEvent): object {
  return event.type === 'PulseSample' ? { ...event, ...event.sample } : event
}

function exchangeEvents(builder: AdminBuilder) {
  const placed = ({
    exchange,
    processId,
  }: Of<'ExchangeBegan' | 'ExchangeChanged' | 'ExchangeEnded'>) =>
    ({ ...exchange, processId }) as never
  const inFlight = (name: 'ExchangeBegan' | 'ExchangeChanged', description: string) =>
    builder.objectRef<Of<typeof name>>(name).implement({
      description,
      authScopes,
      fields: (t) => ({
        exchange: t.field({ type: 'LiveExchange' as never, resolve: placed }),
      }),
    })
  return [
    inFlight(
      'ExchangeBegan',
      'An exchange that is in flight. A short one begins when it ends; above 50 changes a second some are left out.',
    ),
    inFlight('ExchangeChanged', 'Its model, its account or its first output is known.'),
    builder.objectRef<Of<'ExchangeEnded'>>('ExchangeEnded').implement({
      description: 'The end of an exchange that began.',
      authScopes,
      fields: (t) => ({
        exchange: t.field({ type: 'EndedExchange' as never, resolve: placed }),
      }),
    }),
  ]
}

function stateEvents(builder: AdminBuilder) {
  const circuit = builder.enumType('CircuitState', {
    description: 'HALF_OPEN: one call at a time tries whether the account works again.',
    values: ['CLOSED', 'OPEN', 'HALF_OPEN'] as const,
  })
  return [
    builder.objectRef<Of<'AccountChanged'>>('AccountChanged').implement({
      description:
        'An account is created, changed, deleted, enabled, disabled, kept out or back, in one process.',
      authScopes,
      fields: (t) => ({
        processId: t.exposeID('processId'),
        accountId: t.exposeID('accountId'),
        ...edgesOf(t, { account: ({ accountId }) => accountId }),
        enabled: t.exposeBoolean('enabled'),
        deleted: t.exposeBoolean('deleted'),
        exclusions: t.field({
          type: ['AccountExclusion' as never],
          description: 'What keeps it out, the gravest first, at most 10.',
          resolve: ({ exclusions }) => exclusions as AccountExclusion[] as never,
        }),
      }),
    }),
    builder.objectRef<Of<'CircuitChanged'>>('CircuitChanged').implement({
      description: 'A circuit of an account, in one process.',
      authScopes,
      fields: (t) => ({
        processId: t.exposeID('processId'),
        accountId: t.exposeID('accountId'),
        ...edgesOf(t, { account: ({ accountId }) => accountId }),
        dialect: t.exposeString('dialect'),
        circuit: t.field({ type: circuit, resolve: ({ state }) => state }),
      }),
    }),
    builder.objectRef<Of<'ConfigurationChanged'>>('ConfigurationChanged').implement({
      description: 'A process has loaded a configuration, or refused one.',
      authScopes,
      fields: (t) => ({
        processId: t.exposeID('processId'),
        hash: t.exposeString('hash'),
        loadedAt: t.expose('loadedAt', { type: 'DateTime' }),
        problems: t.field({
          type: ['Problem'],
          resolve: ({ problems }: Of<'ConfigurationChanged'>) => problems,
        }),
      }),
    }),
  ]
}

function jobChanged(builder: AdminBuilder) {
  return builder.objectRef<Of<'JobChanged'>>('JobChanged').implement({
    description:
      'A job is created, has another state, or is forgotten. One event, of the process that stores it.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId'),
      jobId: t.exposeID('jobId', { description: 'As `Job.id`.' }),
      kind: t.field({
        type: 'JobKind' as never,
        nullable: true,
        resolve: ({ kind }) => kind as never,
      }),
      accountId: t.exposeID('accountId'),
      keyId: t.exposeID('keyId', { nullable: true }),
      ...edgesOf(t, { account: ({ accountId }) => accountId, key: ({ keyId }) => keyId }),
      state: t.field({
        type: 'JobState' as never,
        nullable: true,
        resolve: ({ state }) => state as never,
      }),
      progress: t.exposeFloat('progress', { nullable: true, description: 'From 0 to 100.' }),
      error: t.exposeString('error', {
        nullable: true,
        description: 'The code of the error of a failed job.',
      }),
      forgotten: t.exposeBoolean('forgotten', {
        description: 'Its id is unknown from now on; the state is the last one.',
      }),
    }),
  })
}

function auditRecorded(builder: AdminBuilder) {
  return builder
    .objectRef<Extract<ProcessEvent, { type: 'AuditRecorded' }>>('AuditRecorded')
    .implement({
      description: 'An act has begun or ended. An act has one record, which its end changes.',
      authScopes,
      fields: (t) => ({
        processId: t.exposeID('processId'),
        entry: t.field({
          type: 'AuditEntry' as never,
          resolve: ({ entry }) => entry as AuditEntry as never,
        }),
      }),
    })
}

function recordsChanged(builder: AdminBuilder, topic: EnumRef<AdminBuilderTypes, LiveTopic>) {
  return builder.objectRef<Of<'RecordsChanged'>>('RecordsChanged').implement({
    description:
      'Records of the store are created, changed or deleted, by any process or command: API keys, teams, limits and what they are granted, prices, aliases, admin tokens, captures. One event a change, of the process that answers.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId'),
      topic: t.expose('topic', { type: topic }),
      ids: t.idList({ description: 'At most 100.', resolve: ({ ids }) => ids }),
      idsOmitted: t.exposeInt('idsOmitted'),
    }),
  })
}

function missed(builder: AdminBuilder) {
  const reason = builder.enumType('MissedReason', {
    description:
      'QUEUE: the subscriber reads too slowly. SAMPLING: exchanges above 50 changes a second. OUTAGE: messages between processes were lost.',
    values: ['QUEUE', 'SAMPLING', 'OUTAGE'] as const,
  })
  return builder.objectRef<Missed>('Missed').implement({
    description: 'Events are missing at this place.',
    authScopes,
    fields: (t) => ({
      count: t.expose('count', { type: 'Count', nullable: true, description: 'Null: unknown.' }),
      reason: t.expose('reason', { type: reason }),
    }),
  })
}
