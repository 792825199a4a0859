/** A gateway with accounts of each dialect, an upstream behind it, a load generator before it. */

import type { ChildProcess } from 'node:child_process'

import { freePort, startScript } from '../children.ts'
import { subjectCore } from '../cores.ts'
import { type Drivers, startDrivers } from '../drivers.ts'
import { whenLive } from '../when-live.ts'

export interface Stage extends Drivers {
  readonly gateway: ChildProcess
  readonly port: number
}

export async function openStage(): Promise<Stage> {
  const drivers = await startDrivers(new URL('upstream.ts', import.meta.url))
  const port = await freePort()
  const args = [`${port}`, `${drivers.upstreamPort}`]
  const script = new URL('gateway.ts', import.meta.url)
  const gateway = startScript(script, args, { core: subjectCore })
  await whenLive(port)
  return { ...drivers, gateway, port }
}
