import { expect } from 'vitest'

import type { Store } from '../../src/stores/store.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'

/** A gateway on a store that others share, with one account at a sandbox. */
export function startReplica(store: Store, url: string, options = {}): Promise<AdminGateway> {
  const account = { id: 'a', provider: 'sandbox', baseUrl: url, apiKey: 'sandbox-key-a' }
  return startAdminGateway({ store, accounts: [{ ...account, models: ['*'] }], ...options })
}

/** Sends a call, whose content is a canary. */
export function call(gateway: AdminGateway, model: string, stream = false): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      messages: [{ role: 'user', content: 'canary-content' }],
    }),
  })
}

interface ProcessNode {
  readonly id: string
  readonly stale: boolean
  readonly accounts: { id: string; calls: number; failures: number; exclusions: object[] }[]
}

interface GatewayAnswer {
  readonly gateway: {
    readonly processId: string
    readonly processesComplete: boolean
    readonly ready: boolean
    readonly draining: boolean
    readonly store: { readonly kind: string; readonly reachable: boolean }
    readonly processes: ProcessNode[]
  }
}

const gatewayQuery = `{ gateway { version processId processesComplete ready draining
  store { kind reachable } configuration { hash loadedAt problems { path } }
  processes { id version startedAt at pid worker host draining ready inFlight loopLagMs stale
    configuration { hash }
    accounts { id inFlight calls failures exclusions { kind reason status until dialect } } } } }`

/** What a replica shows of all. */
export async function processesOf(gateway: AdminGateway): Promise<GatewayAnswer['gateway']> {
  const { data, errors } = await gateway.graph<GatewayAnswer>(gatewayQuery, {}, 'viewer')
  expect(errors).toEqual([])
  return data.gateway
}

interface Live {
  readonly id: string
  readonly processId: string
  readonly accountId: string
}

/** The exchanges in flight, as a replica shows them. */
export async function exchangesOf(gateway: AdminGateway): Promise<Live[]> {
  const query = `{ exchanges { id processId ageMs keyId dialect operation model accountId attemptCount
    stream bytesIn bytesOut firstOutputMs } }`
  return (await gateway.graph<{ exchanges: Live[] }>(query, {}, 'viewer')).data.exchanges
}
