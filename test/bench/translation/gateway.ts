/** The gateway with four accounts of one dialect each. Arguments: port, upstream port. */

import pipeline from '../../../config/gateway.config.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { createGateway } from '../../../src/gateway.ts'
import { createLineWriter } from '../../../src/lib/line-writer.ts'
import { listen } from '../../../src/http/listen.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createKeyRing } from '../../../src/stores/key-ring.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
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
const store = openMemoryStore()
const keys = await createKeyRing({ configured: settings.keys, store, onError: console.error })
const plugins = pipeline({
  store,
  keys,
  log: createLog(process.stderr),
  lines: createLineWriter(process.stdout),
  health: { draining: false, inflight: () => 0, accounts: () => dialectNames.length },
})
const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
const { snapshot } = compileSnapshot(settings.accounts, settings.aliases, dialects)
const gateway = createGateway({ ...settings, plugins, snapshot })
const listener = await listen(gateway.listener, { host: '127.0.0.1', port: Number(port) })

process.once('SIGTERM', () => {
  listener.closeNow()
  void gateway.dispose().then(() => process.exit(0))
})
