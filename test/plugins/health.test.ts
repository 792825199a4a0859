import { describe, expect, test } from 'vitest'

import { type HealthDetails, health, adminHealth } from '../../plugins/health.ts'
import type { Account } from '../../src/contract/account.ts'
import { createSnapshot } from '../../src/accounts/snapshot.ts'
import { createGateway } from '../../src/gateway.ts'
import { listen } from '../../src/http/listen.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'

const accounts = ['a', 'b'].map((id) => ({ id, enabled: false }) as Account)

/** How many accounts there are, and for operators which. */
const details: HealthDetails = ({ reader, accounts }) => ({
  accounts: reader === 'operator' ? accounts.map(({ id }) => id) : accounts.length,
})

const healthy = { draining: false, inflight: () => 0, accounts: () => 2 }

/** What a gateway of this plugin alone answers. */
async function answer(plugin: GatewayPlugin, path: string) {
  await using resources = new AsyncDisposableStack()
  const gateway = createGateway({ plugins: [plugin], snapshot: createSnapshot(accounts) })
  resources.defer(() => gateway.dispose())
  const listener = await listen(gateway.listener, { host: '127.0.0.1', port: 0 })
  resources.defer(() => listener.close())
  resources.defer(() => listener.closeNow())
  const response = await fetch(listener.url + path)
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('/readyz?verbose', () => {
  test('says nothing to clients where operators have an address of their own', async () => {
    const withAdmin = { ...healthy, cluster: async () => ({}) }
    expect(await answer(health(withAdmin, details), '/readyz?verbose')).toEqual({
      status: 200,
      body: { status: 'ok' },
    })
  })

  test('tells anybody how much of what there is, where operators have no address', async () => {
    expect(await answer(health(healthy, details), '/readyz?verbose')).toEqual({
      status: 200,
      body: { status: 'ok', accounts: 2 },
    })
  })

  test('tells operators the same, with names', async () => {
    const plugins = [{ name: 'another' }, health(healthy, details)]
    expect(await answer(adminHealth(healthy, plugins), '/readyz?verbose')).toEqual({
      status: 200,
      body: { status: 'ok', accounts: ['a', 'b'] },
    })
  })

  test('tells operators of a gateway that is ending, too', async () => {
    const ending = { ...healthy, draining: true, inflight: () => 3 }
    const ended = await answer(adminHealth(ending, [health(ending, details)]), '/readyz?verbose')
    expect(ended).toEqual({
      status: 503,
      body: { status: 'draining', inflight: 3, accounts: ['a', 'b'] },
    })
  })

  test('has nothing to add where there are no details', async () => {
    expect(await answer(adminHealth(healthy, []), '/readyz?verbose')).toEqual({
      status: 200,
      body: { status: 'ok' },
    })
  })
})

test('old names of the probe are answered on the admin address alone', async () => {
  for (const path of ['/livez', '/healthz', '/startupz']) {
    expect((await answer(adminHealth(healthy, []), path)).status).toBe(200)
  }
  expect((await answer(health(healthy, details), '/healthz')).status).toBe(404)
})

test.each(['/readyz', '/readyz?x=verbose'])('%s tells the status alone', async (path) => {
  expect(await answer(health(healthy, details), path)).toEqual({
    status: 200,
    body: { status: 'ok' },
  })
})
