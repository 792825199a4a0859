/** What drives a subject: the load generator before it, an upstream behind it. */

import type { ChildProcess } from 'node:child_process'
import { nextMessage, startScript } from './children.ts'
import { loadCore, type Cores } from './cores.ts'
import type { LoadOrder, LoadReport } from './load.ts'

export interface Drivers {
  readonly load: ChildProcess
  readonly upstream: ChildProcess
  readonly upstreamPort: number
}

/** Starts both; the script of the upstream is the bench's own. */
export async function startDrivers(script: URL, core: Cores = loadCore): Promise<Drivers> {
  const load = startScript(new URL('load.ts', import.meta.url), [], { core, ipc: true })
  const upstream = startScript(script, [], { core, ipc: true })
  const { port } = await nextMessage<{ port: number }>(upstream, 10_000)
  return { load, upstream, upstreamPort: port }
}

/** Orders load and waits for what was seen of it. */
export function driveLoad(load: ChildProcess, order: LoadOrder): Promise<LoadReport> {
  load.send(order)
  return nextMessage<LoadReport>(load, order.warmupMillis + order.windowMillis + 10_000)
}
