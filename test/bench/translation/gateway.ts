/** The gateway with four accounts of one dialect each. Arguments: port, upstream port. */

import pipeline from '../../../config/gateway.config.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { listen } from '../../../src/http/listen.ts'
import { startGateway } from '../../../src/runtime/start-gateway.ts'
import { clientKey } from '../subjects/subject.ts'
import { dialectNames, sides } from './dialects.ts'

const [port, upstreamPort] = process.argv.slice(2)

const settings = resolveSettings(
  {
    store: 'memory:',
    keys: [{ id: 'bench', secret: clientKey }],
    accounts: dialectNames.map((dialect) => ({
      id: dialect,
      provider: 'sandbox',
      speaks: [dialect],
      baseUrl: `http://127.0.0.1:${upstreamPort}`,
      apiKey: 'sk-bench',
      models: Object.fromEntries(
        [...sides, 'coalesced'].map((model) => [`${dialect}-${model}`, `bench-${model}`]),
      ),
    })),
  },
  { env: {} },
)
const { gateway } = await startGateway({ pipeline, settings })
const listener = await listen(gateway.listener, { host: '127.0.0.1', port: Number(port) })

process.once('SIGTERM', () => {
  listener.closeNow()
  void gateway.dispose().then(() => process.exit(0))
})
