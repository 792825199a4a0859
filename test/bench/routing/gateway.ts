/**
 * The gateway as it is served, on the embedded store, with three accounts to choose from; `off`
 * leaves bindings and affinities out. Arguments: port, upstream port, store directory, on or off.
 */

import pipeline from '../../../config/gateway.config.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { listen } from '../../../src/http/listen.ts'
import { startGateway } from '../../../src/runtime/start-gateway.ts'
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
const isKept = ({ name }: GatewayPlugin) =>
  state === 'on' || !['bindings', 'affinity'].includes(name)
const running = await startGateway({
  pipeline(services) {
    const all = pipeline(services)
    const plugins = all.filter(isKept)
    if (state === 'off' && plugins.length !== all.length - 2) throw new Error('Not both are off.')
    return plugins
  },
  settings,
})
const listener = await listen(running.listener, { host: '127.0.0.1', port: Number(port) })

process.once('SIGTERM', () => {
  listener.closeNow()
  void running[Symbol.asyncDispose]().then(() => process.exit(0))
})
