import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import shippedPipeline from '../../config/gateway.config.ts'
import { compileSnapshot } from '../../src/accounts/compile.ts'
import type { Config } from '../../src/configuration/config.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'
import { ConfigurationError } from '../../src/contract/problems.ts'
import { type Gateway, createGateway } from '../../src/gateway.ts'
import { type LineSink, createLineWriter } from '../../src/lib/line-writer.ts'
import { createLog } from '../../src/lib/log.ts'
import { createKeyRing } from '../../src/stores/key-ring.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { createTranslationServices } from '../../src/translate/services.ts'

export interface Embedded extends AsyncDisposable {
  readonly gateway: Gateway
  readonly store: Store
  /** Exchanges that begin from now on see these accounts and aliases. */
  change(config: Config): void
}

/** What an application does that embeds the shipped gateway, with nothing but public entries. */
export async function embedGateway(config: Config, stdout: LineSink): Promise<Embedded> {
  await using opening = new AsyncDisposableStack()
  const settings = resolveSettings(config, { env: process.env })
  const store = await openStore(settings.store, { cwd: process.cwd() })
  opening.defer(() => store.close())
  const log = createLog(stdout)
  const onError = (error: unknown) => log.error('the store failed', { error: String(error) })
  const keys = await createKeyRing({ configured: settings.keys, store, onError })
  opening.defer(() => keys.close())
  const health = {
    draining: false,
    inflight: () => gateway.inflight(),
    accounts: () => settings.accounts.length,
  }
  const plugins = shippedPipeline({
    keys,
    store,
    log,
    lines: createLineWriter(stdout),
    health,
    samplingFields: settings.samplingFields,
    imageModels: settings.imageModels,
    plugins: settings.plugins,
  })
  const gateway = createGateway({
    ...settings,
    plugins,
    snapshot: snapshotOf(config, plugins),
    translation: createTranslationServices({ ...settings, store, log }),
  })
  opening.defer(() => gateway.dispose())
  const opened = opening.move()
  return {
    gateway,
    store,
    change: (changed) => gateway.update(snapshotOf(changed, plugins)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function snapshotOf(config: Config, plugins: readonly GatewayPlugin[]) {
  const { accounts, aliases } = resolveSettings(config, { env: process.env })
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const { snapshot, problems } = compileSnapshot(accounts, aliases, dialects)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return snapshot
}

export interface Host extends AsyncDisposable {
  readonly url: string
}

/** A plain server of an application on a free port. */
export async function startHost(listener: RequestListener): Promise<Host> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
