import { setTimeout as pause } from 'node:timers/promises'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type Upstream, startBalancer } from './balancer.ts'
import { type Clients, type Manner, startClients } from './clients.ts'
import { freePort, secret, startGatewayProcess } from './gateways.ts'

/** One run of two gateways behind nginx. */
export interface Scenario {
  readonly upstream: Upstream
  /** `undefined`: that of a gateway that is told nothing. */
  readonly drainDelayMs: number | undefined
  /** Worker processes of each gateway. */
  readonly workers: number
  /** How often a gateway is ended and started again, the two by turns. */
  readonly restarts: number
  readonly clients: Record<Manner, number>
}

/** The calls of a run, and what went wrong. */
export interface SoakResult {
  readonly tally: Clients['tally']
  /** Exit codes other than 0, and failed calls. */
  readonly faults: readonly string[]
  /** What nginx logged. */
  readonly log: string
}

/**
 * Longer than nginx leaves a gateway alone that has refused a connection, in milliseconds: it counts
 * whole seconds, so that the `fail_timeout` of one takes up to two.
 */
const settleMs = 2_500

/** Restarts gateways under load. */
export async function soak(scenario: Scenario): Promise<SoakResult> {
  const { upstream, drainDelayMs, workers, restarts, clients: counts } = scenario
  await using sandbox = await startSandbox()
  const options = { sandboxUrl: sandbox.url, drainDelayMs, workers }
  await using first = await startGatewayProcess(options)
  await using second = await startGatewayProcess(options)
  const ports = [first.port, second.port]
  await using balancer = await startBalancer(await freePort(), ports, upstream)
  await pause(settleMs)
  const clients = startClients({ url: balancer.url, secret, counts })
  const faults: string[] = []
  for (let count = 0; count < restarts; count++) {
    await pause(settleMs)
    const code = await (count % 2 === 0 ? first : second).restart()
    if (code !== 0) faults.push(`A gateway ended with ${code}.`)
  }
  await pause(settleMs)
  await clients.stop()
  for (const [manner, { failures }] of Object.entries(clients.tally))
    faults.push(...failures.map((failure) => `${manner}: ${failure}`))
  return { tally: clients.tally, faults, log: await balancer.log() }
}
