/** A gateway with accounts of each dialect, an upstream behind it, a load generator before it. */

import type { ChildProcess } from 'node:child_process'

import { freePort, startScript } from '../children.ts'
import { subjectCore } from '../cores.ts'
import { startDrivers, type Drivers } from '../drivers.ts'
import { whenLive } from '../when-live.ts'

export interface Stage extends Drivers {
  readonly gateway: ChildProcess
  readonly port: number
}

export async function openStage(): Promise<Stage> {
  const drivers = await startDrivers(new URL('upstream.ts', import.meta.url))
  return addGateway(drivers)
}

/** Two gateways between the same drivers: the fast path is on in one and off in the other. */
export async function openBothPaths(): Promise<{ readonly on: Stage; readonly off: Stage }> {
  const on = await openStage()
  return { on, off: await addGateway(on, 'off') }
}

async function addGateway(drivers: Drivers, fastPath: 'on' | 'off' = 'on'): Promise<Stage> {
  const port = await freePort()
  const script = new URL('gateway.ts', import.meta.url)
  const args = [`${port}`, `${drivers.upstreamPort}`, fastPath]
  const gateway = startScript(script, args, { core: subjectCore })
  await whenLive(port)
  return { ...drivers, gateway, port }
}
