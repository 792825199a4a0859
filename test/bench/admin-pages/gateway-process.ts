/**
 * The process of the gateway, tuned as the command is. Of the bench it has the meter alone, and what a store in its
 * memory holds.
 */

import { tuneEngine } from '../../../src/cli/engine.ts'
import { openStore } from '../../../src/stores/open.ts'
import { type AdminGateway, startAdminGateway } from '../../admin/admin-gateway.ts'
import { manyAccounts, storeAccounts } from './accounts.ts'
import type { GatewayOrder, GatewayRequest, GatewayStarted } from './gateway.ts'
import { type Meter, startMeter } from './meter.ts'
import { fillStore } from './records.ts'

const secretKey = 'a-key-that-seals-the-credentials-of-this-bench'

const otherProcesses = 8

let gateway: AdminGateway | undefined
let meter: Meter | undefined

tuneEngine()

process.on('message', (request: GatewayRequest) => {
  void answer(request).then((reply) => process.send!(reply ?? 'done'))
})

async function answer(request: GatewayRequest): Promise<unknown> {
  if (request === 'add processes') return addProcesses(gateway!)
  if (request === 'reload') return gateway!.reload({})
  if (request === 'start meter') return void (meter = startMeter())
  if (request === 'end meter') return meter!.end()
  return start(request)
}

async function start({ place, upstream, ...order }: GatewayOrder): Promise<GatewayStarted> {
  const store = await openStore(order.store, { cwd: '/' })
  if (order.store === 'memory:') await fillStore(store)
  const accounts = manyAccounts(upstream)
  if (place === 'store') await storeAccounts(store, accounts, secretKey)
  const drip = {
    id: 'drip',
    provider: 'openai-compatible',
    baseUrl: upstream,
    speaks: ['chat'],
    apiKey: 'sk-drip-0123456789abcdef',
    models: ['drip'],
  }
  gateway = await startAdminGateway({
    store,
    accounts: place === 'store' ? [drip] : [drip, ...accounts],
    env: { DRAGOMAN_SECRET_KEY: secretKey },
  })
  const { url, adminUrl, key } = gateway
  return { url, adminUrl, key, token: gateway.token('admin') }
}

/** Writes heartbeats of other processes, like that of the gateway. */
async function addProcesses({ running, services }: AdminGateway): Promise<void> {
  const records = running.store.records<object>('processes', { listed: true })
  const own = await records.get(services.processes.id)
  if (!own) throw new Error('The gateway has written no heartbeat.')
  for (let index = 0; index < otherProcesses; index++) {
    const id = `other-${index}`
    await records.set(id, { ...own, id })
  }
}
