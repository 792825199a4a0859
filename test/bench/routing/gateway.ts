/**
 * The gateway as it is served, on the embedded store, with three accounts to choose from; `off`
 * leaves bindings and affinities out. Arguments: port, upstream port, store directory, on or off.
 */

import pipeline from '../../../config/gateway.config.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { createGateway } from '../../../src/gateway.ts'
import { createLineWriter } from '../../../src/lib/line-writer.ts'
import { listen } from '../../../src/http/listen.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createKeyRing } from '../../../src/stores/key-ring.ts'
import { openStore } from '../../../src/stores/open.ts'
import { createTranslationServices } from '../../../src/translate/services.ts'
import { clientKey } from '../subjects/subject.ts'

const [port, upstreamPort, directory, state] = process.argv.slice(2)

const settings = resolveSettings(
  {
    store: `file:${directory}`,
    keys: [{ id: 'bench', secret: clientKey }],
    accounts: ['a', 'b', 'c'].map((id) => ({
      id,
      provider: 'openai',
      baseUrl: `http://127.0.0.1:${upstreamPort}/v1`,
      apiKey: `sk-${id}`,
      models: ['*'],
    })),
  },
  { env: {} },
)
const store = await openStore(settings.store, { cwd: '/' })
const keys = await createKeyRing({ configured: settings.keys, store, onError: console.error })
const log = createLog(process.stderr)
const all = pipeline({
  store,
  keys,
  log,
  lines: createLineWriter(process.stdout),
  health: { draining: false, inflight: () => 0, accounts: () => 3 },
})
const plugins = all.filter(({ name }) => state === 'on' || !['bindings', 'affinity'].includes(name))
if (state === 'off' && plugins.length !== all.length - 2) throw new Error('Not both are off.')
const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
const { snapshot } = compileSnapshot(settings.accounts, settings.aliases, dialects)
const gateway = createGateway({
  ...settings,
  plugins,
  snapshot,
  translation: createTranslationServices({ ...settings, store, log }),
})
const listener = await listen(gateway.listener, { host: '127.0.0.1', port: Number(port) })

process.once('SIGTERM', () => {
  listener.closeNow()
  void gateway
    .dispose()
    .then(() => store.close())
    .then(() => process.exit(0))
})
