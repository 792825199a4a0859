import type { Processes } from './index.ts'
import type { ProcessAccount, ProcessRecord } from './record.ts'

/** What keeps an account out in one process. */
export type KeptOut = ProcessAccount['exclusions'][number] & {
  /** The id of the process. */
  readonly process: string
  readonly worker?: number
}

/** What keeps accounts out, in all of these processes. */
export function keptOutOf(
  processes: readonly Pick<ProcessRecord, 'id' | 'worker' | 'accounts'>[],
): KeptOut[] {
  return processes.flatMap(({ id, worker, accounts }) =>
    accounts.flatMap(({ exclusions }) =>
      exclusions.map((exclusion) => ({
        ...exclusion,
        process: id,
        ...(worker !== undefined && { worker }),
      })),
    ),
  )
}

/** What `/readyz?verbose` of the admin address says of all processes. Never rejects. */
export async function readEverywhere(
  processes: Pick<Processes, 'view'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { processes: known, isComplete } = await processes.view()
  return {
    processes: {
      complete: isComplete,
      known: known.map(({ id, worker, draining, ready, inFlight, configuration, isStale }) => ({
        id,
        worker,
        draining,
        ready,
        inflight: inFlight,
        stale: isStale,
        configuration: configuration.hash,
      })),
    },
    kept_out: keptOutOf(known).map(({ untilMs, keyId, isProbing, ...rest }) => ({
      ...rest,
      ...(keyId !== undefined && { key: keyId }),
      ...(isProbing === true && { probing: true }),
      ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
    })),
  }
}
