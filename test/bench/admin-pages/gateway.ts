/** A gateway in a process of its own, so that the bench itself takes no time and no memory of it. */

import { fork } from 'node:child_process'
import { once } from 'node:events'

import type { GraphAnswer } from '../../admin/admin-gateway.ts'
import { type Reading, measuredHeader } from './meter.ts'
import { atUsualPriority } from './priority.ts'

/** What the process starts with. */
export interface GatewayOrder {
  /** The URL of the store. One in memory is filled by the process itself. */
  readonly store: string
  /** Where the ten thousand accounts are. */
  readonly place: 'configuration' | 'store'
  /** The address of the accounts that are called. */
  readonly upstream: string
}

/** What a started process says. */
export interface GatewayStarted {
  readonly url: string
  readonly adminUrl: string
  readonly key: string
  /** An admin token. */
  readonly token: string
}

/** What the process is asked for. It answers each request before the next one. */
export type GatewayRequest = GatewayOrder | 'add processes' | 'reload' | 'start meter' | 'end meter'

/** The gateway that is measured. */
export interface MeasuredGateway extends AsyncDisposable {
  readonly url: string
  readonly key: string
  /** Sends an operation. `measured`: the meter counts its request. */
  graph<Data>(query: string, measured?: 'measured'): Promise<GraphAnswer<Data>>
  /** Writes heartbeats of other processes. */
  addProcesses(): Promise<void>
  /** Reloads the configuration as it is. */
  reload(): Promise<void>
  startMeter(): Promise<void>
  endMeter(): Promise<Reading>
}

/** Starts the process and its gateway. */
export async function startMeasuredGateway(order: GatewayOrder): Promise<MeasuredGateway> {
  const child = atUsualPriority(() => fork(new URL('gateway-process.ts', import.meta.url)))
  const ended = once(child, 'exit')
  const ask = async <Answer>(request: GatewayRequest) => {
    const early = ended.then(() => {
      throw new Error('The process of the gateway ended early.')
    })
    child.send(request)
    const [reply] = (await Promise.race([once(child, 'message'), early])) as [Answer]
    return reply
  }
  const { url, adminUrl, key, token } = await ask<GatewayStarted>(order)
  return {
    url,
    key,
    graph: (async (query, measured) => {
      const response = await fetch(`${adminUrl}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...(measured && { [measuredHeader]: 'yes' }),
        },
        body: JSON.stringify({ query }),
      })
      const { data, errors = [], extensions = {} } = (await response.json()) as Partial<GraphAnswer>
      return { status: response.status, data, errors, extensions }
    }) as MeasuredGateway['graph'],
    addProcesses: () => ask('add processes'),
    reload: () => ask('reload'),
    startMeter: () => ask('start meter'),
    endMeter: () => ask('end meter'),
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
