import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import { isFailure } from '../failures.ts'
import { type ReloadOutcome, reloadConfiguration, startDrain } from '../processes/acts.ts'
import type { CommandOutcome } from '../processes/broadcast.ts'

const authScopes = { viewer: true }

/** Adds the acts that reload the configuration and drain processes. */
export function addProcessActs(builder: AdminBuilder): void {
  const status = builder.enumType('CommandStatus', {
    description: 'UNANSWERED: the process may have done it or not.',
    values: ['DONE', 'FAILED', 'UNANSWERED'] as const,
  })
  const outcome = builder
    .objectRef<Omit<ReloadOutcome, 'problems'> & Partial<ReloadOutcome>>('ProcessOutcome')
    .implement({
      description: 'What became of an act in one process.',
      authScopes,
      fields: (t) => ({
        processId: t.exposeID('processId'),
        status: t.expose('status', { type: status }),
        message: t.exposeString('message', { nullable: true }),
        problems: t.field({ type: ['Problem'], resolve: ({ problems = [] }) => [...problems] }),
      }),
    })
  const input = builder.inputType('ReloadConfigurationInput', {
    fields: (t) => ({
      reason: t.string({ required: false, description: 'For the audit record.' }),
    }),
  })
  const success = builder
    .objectRef<{ processes: readonly ReloadOutcome[] }>('ReloadConfigurationSuccess')
    .implement({
      authScopes,
      fields: (t) => ({
        processes: t.field({
          type: [outcome],
          nullable: true,
          resolve: ({ processes }) => [...processes],
        }),
      }),
    })
  addAct(builder, {
    name: 'reloadConfiguration',
    description:
      'Reads the configuration file again in every process. If one of them finds a problem, or cannot check it, no process changes.',
    role: 'operator',
    action: 'configuration.reload',
    input,
    success,
    target: () => ({ type: 'configuration', id: 'file' }),
    async run(_input, { services: { processes } }) {
      const result = await reloadConfiguration(processes)
      if (isFailure(result)) return result
      const hashes = result.processes.map(({ processId, status: one }) => [processId, one])
      return { done: result, changes: { after: Object.fromEntries(hashes) } }
    },
  })
  const drainInput = builder.inputType('StartDrainInput', {
    fields: (t) => ({
      processId: t.id({ required: false, description: 'Absent: all processes on the store.' }),
      reason: t.string({ required: true, description: 'For the audit record.' }),
    }),
  })
  const drained = builder
    .objectRef<{ processes: readonly CommandOutcome[] }>('StartDrainSuccess')
    .implement({
      authScopes,
      fields: (t) => ({
        processes: t.field({
          type: [outcome],
          nullable: true,
          resolve: ({ processes }) => processes.map((one) => ({ ...one, problems: [] })),
        }),
      }),
    })
  addAct(builder, {
    name: 'startDrain',
    description:
      'Ends a process, or all: new requests are refused, and calls in flight go on for `timeouts.drainMs`. A worker that ends alone is replaced.',
    role: 'admin',
    action: 'gateway.drain',
    input: drainInput,
    success: drained,
    target: ({ processId }) => ({ type: 'process', id: processId ?? 'all' }),
    async run({ processId }, { services: { processes } }) {
      const result = await startDrain(processes, processId ?? undefined)
      return isFailure(result) ? result : { done: result }
    },
  })
}
