/** The configuration whose workers are measured; ports, key and store come from the bench. */

import cluster from 'node:cluster'

import type { Config } from '../../../src/configuration/config.generated.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { type Gauge, startGauge } from './workers-gauge.ts'

const { BENCH_PORT, BENCH_ADMIN_PORT, BENCH_UPSTREAM_PORT, BENCH_GAUGES_PORT } = process.env
const { BENCH_STORE, DRAGOMAN_WORKER } = process.env

/** Comes to the bench with the first request, so that who has come is known to serve. */
function gaugePlugin(): GatewayPlugin {
  let gauge: Gauge | undefined
  return definePlugin({
    name: 'bench-gauge',
    onEnd() {
      gauge ??= startGauge(`worker ${DRAGOMAN_WORKER}`, Number(BENCH_GAUGES_PORT))
      gauge.served()
    },
    onDispose: () => gauge?.close(),
  })
}

export default {
  listen: { host: '127.0.0.1', port: Number(BENCH_PORT) },
  admin: { host: '127.0.0.1', port: Number(BENCH_ADMIN_PORT) },
  store: `file:${BENCH_STORE}`,
  keys: [{ id: 'bench', secret: 'env:BENCH_KEY' }],
  accounts: ['a', 'b', 'c'].map((id) => ({
    id,
    provider: 'openai',
    baseUrl: `http://127.0.0.1:${BENCH_UPSTREAM_PORT}/v1`,
    apiKey: `sk-${id}`,
    models: ['*'],
  })),
  plugins: cluster.isWorker ? [gaugePlugin()] : [],
} satisfies Config
