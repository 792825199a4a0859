import type { AccountExclusion } from '../../contract/call.ts'
import type { AdminBuilder } from '../builder.ts'
import { storeKind, storeKinds } from '../../stores/open.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import { type ChangesInForce, changesInForce } from '../processes/changes-in-force.ts'
import type { PlacedAccount } from '../processes/cluster-view.ts'
import {
  type ConfigurationState,
  type KnownProcess,
  type ProcessesView,
  unreachableProcesses,
} from '../processes/presence.ts'
import { inUpperCase } from './enums.ts'

const authScopes = { viewer: true }

/** Adds `gateway`. */
export function addGateway(builder: AdminBuilder): void {
  const configuration = builder.objectRef<ConfigurationState>('LoadedConfiguration').implement({
    description: 'The configuration that a process uses.',
    authScopes,
    fields: (t) => ({
      hash: t.exposeString('hash', {
        description: 'Equal for processes with the same configuration.',
      }),
      loadedAt: t.expose('loadedAt', { type: 'DateTime' }),
      problems: t.field({
        type: ['Problem'],
        description: 'Why a later configuration was refused. Empty: this is the latest.',
        resolve: ({ problems }) => problems,
      }),
    }),
  })
  const account = builder.objectRef<PlacedAccount>('ProcessAccount').implement({
    description: 'An account in one process.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      inFlight: t.expose('inFlight', { type: 'Count' }),
      calls: t.expose('calls', {
        type: 'Count',
        description: 'Attempts that ended since the start of the process.',
      }),
      failures: t.expose('failures', {
        type: 'Count',
        description: 'The attempts whose failure the account caused.',
      }),
      exclusions: t.field({
        type: ['AccountExclusion' as never],
        description: 'What keeps it out, the gravest first, at most 10.',
        resolve: ({ exclusions }) => exclusions as AccountExclusion[] as never,
      }),
    }),
  })
  const process = builder.objectRef<KnownProcess>('Process').implement({
    description: 'A process: a replica, or a worker of one.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      version: t.exposeString('version'),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      at: t.expose('at', { type: 'DateTime', description: 'The time of these values.' }),
      pid: t.exposeInt('pid'),
      worker: t.exposeInt('worker', {
        nullable: true,
        description: 'The number of the worker; null if its gateway has one process.',
      }),
      host: t.exposeString('host'),
      configuration: t.field({ type: configuration, resolve: (one) => one.configuration }),
      draining: t.exposeBoolean('draining'),
      ready: t.exposeBoolean('ready'),
      inFlight: t.expose('inFlight', { type: 'Count', description: 'Exchanges in flight.' }),
      loopLagMs: t.exposeFloat('loopLagMs', {
        description: 'The longest delay of its event loop in the last two to four seconds.',
      }),
      accounts: t.field({
        type: [account],
        description: 'Accounts in trouble, then accounts in use: at most 200.',
        complexity: 20,
        async resolve({ id }, _args, context, info) {
          const { missing, accountsOf } = await context.services.processes.cluster()
          noteMissingProcesses(context, info, missing)
          return [...accountsOf(id)]
        },
      }),
      stale: t.boolean({
        description:
          'The store does not answer, or the record no longer changes: this is what was known last.',
        resolve: ({ isStale }) => isStale,
      }),
    }),
  })
  const kind = builder.enumType('StoreKind', { values: inUpperCase(storeKinds) })
  const store = builder.objectRef<ProcessesView>('StoreState').implement({
    authScopes,
    description: 'The store of the records.',
    fields: (t) => ({
      kind: t.field({
        type: kind,
        resolve: (_state, _args, { services }) => storeKind(services.settings().store),
      }),
      reachable: t.boolean({
        description: 'Whether it answers the process that answers this.',
        resolve: ({ isReachable }) => isReachable,
      }),
    }),
  })
  const inForce = builder.objectRef<ChangesInForce>('ChangesInForce').implement({
    description: 'In which processes the changes of the store are in force.',
    authScopes,
    fields: (t) => ({
      processIds: t.idList({ resolve: ({ processIds }) => [...processIds] }),
      missingIds: t.idList({
        description:
          'Processes that did not answer, or that the store does not answer: a change is in force there within two seconds of its return.',
        resolve: ({ missingIds }) => [...missingIds],
      }),
    }),
  })
  const gateway = builder.objectRef<ProcessesView>('Gateway').implement({
    description: 'All processes on the store, as the process that answers knows them.',
    authScopes,
    fields: (t) => ({
      version: t.string({ resolve: ({ processes: [self] }) => self!.version }),
      processId: t.id({
        description: 'The process that answers.',
        resolve: ({ processes: [self] }) => self!.id,
      }),
      processes: t.field({
        type: [process],
        complexity: 10,
        description: 'The process that answers is the first. See `processesComplete`.',
        resolve: ({ processes }) => processes,
      }),
      processesComplete: t.boolean({
        description:
          'False: the store does not answer, or a record cannot be read, so that there may be other processes.',
        resolve: ({ isComplete }) => isComplete,
      }),
      draining: t.boolean({
        description: 'Whether all known processes drain.',
        resolve: ({ processes }) => processes.every((one) => one.draining),
      }),
      ready: t.boolean({
        description: 'Whether a process takes requests.',
        resolve: ({ processes }) => processes.some((one) => one.ready && !one.isStale),
      }),
      changesInForce: t.field({
        type: inForce,
        description:
          'In which processes every change of the store is in force that was made before this question: each reads the store before it answers.',
        complexity: 50,
        async resolve(_state, _args, context, info) {
          const { services, principal } = context
          const found = await changesInForce(services.processes, principal.id)
          noteMissingProcesses(context, info, found.missingIds)
          return found
        },
      }),
      store: t.field({ type: store, resolve: (state) => state }),
      configuration: t.field({
        type: configuration,
        description: 'The configuration of the process that answers.',
        resolve: ({ processes: [self] }) => self!.configuration,
      }),
    }),
  })
  builder.queryField('gateway', (t) =>
    t.field({
      type: gateway,
      description: 'The gateway: its processes, its store and its configuration.',
      authScopes,
      async resolve(_root, _args, context, info) {
        const view = await context.services.processes.view()
        noteMissingProcesses(context, info, unreachableProcesses(view))
        return view
      },
    }),
  )
}
