import type { KnownProcess } from './heartbeat.ts'
import type { Processes } from './index.ts'

/** The processes and the store, as one process knows them. */
export interface GatewayState {
  /** The process that answers. */
  readonly self: KnownProcess
  readonly processes: readonly KnownProcess[]
  readonly isComplete: boolean
  readonly isReachable: boolean
}

/** Reads the state of all processes. Never rejects. */
export async function readGateway(processes: Processes): Promise<GatewayState> {
  const { processes: known, isComplete } = await processes.view()
  return { self: known[0]!, processes: known, isComplete, isReachable: isComplete }
}

/** The kind of a store by its URL: file, redis or memory. */
export function kindOfStore(url: string): string {
  const scheme = url.slice(0, url.indexOf(':'))
  return scheme.startsWith('redis') ? 'redis' : scheme
}
