/** The configuration under measurement; ports and key come from the bench that starts it. */

import type { Config } from '../../src/configuration/config.generated.ts'

const { BENCH_PORT, BENCH_ADMIN_PORT, BENCH_UPSTREAM_PORT, BENCH_SETTINGS } = process.env

export default {
  listen: { host: '127.0.0.1', port: Number(BENCH_PORT) },
  admin: { host: '127.0.0.1', port: Number(BENCH_ADMIN_PORT) },
  store: 'memory:',
  keys: [{ id: 'bench', secret: 'env:BENCH_KEY' }],
  accounts: [
    {
      id: 'upstream',
      provider: 'openai',
      baseUrl: `http://127.0.0.1:${BENCH_UPSTREAM_PORT}/v1`,
      apiKey: 'sk-upstream',
      models: ['*'],
    },
  ],
  ...(JSON.parse(BENCH_SETTINGS ?? '{}') as Config),
} satisfies Config
