import pipeline from '../../config/gateway.config.ts'
import { createLiveAccounts } from '../accounts/live.ts'
import type { Config } from '../configuration/config.ts'
import { resolveSettings } from '../configuration/resolve.ts'
import { type Gateway, createGateway } from '../gateway.ts'
import { createLineWriter } from '../lib/line-writer.ts'
import { listen } from '../http/listen.ts'
import { createLog } from '../lib/log.ts'
import { createPublicUrl } from '../kit/public-url.ts'
import { followAccountStates } from '../stores/account-states.ts'
import { createKeyRing } from '../stores/key-ring.ts'
import { openStore } from '../stores/open.ts'
import type { Store } from '../stores/store.ts'
import { createTranslationServices } from '../translate/services.ts'
import { type Collected, collectLines } from './lines.ts'
import { until } from './until.ts'

/** A configuration, of which a test says only what it is about. */
export interface TestGatewayOptions extends Omit<Config, 'listen' | 'admin' | 'store'> {
  /** A URL, or a store that is open already and stays open. In memory where absent. */
  readonly store?: string | Store
  /** The clock of bindings and signed URLs, in milliseconds since 1970. */
  readonly now?: () => number
}

export interface TestGateway extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The secret of the key `test`, unless the test brings its own keys. */
  readonly key: string
  readonly gateway: Gateway
  /** The access log, parsed; a line is there soon after its exchange's last byte. */
  readonly accessLog: Collected
  /** The operators' log, parsed. */
  readonly log: Collected
  /** Resolves with the access log when it has this many lines. */
  logged(lines: number): Promise<Collected>
  /** Replaces accounts and aliases, as a reload of the configuration does. */
  reload(options: Pick<TestGatewayOptions, 'accounts' | 'aliases'>): void
}

const testKey = 'test-secret'

/** The shipped gateway on a free port of the loopback interface. */
export async function createTestGateway(given: TestGatewayOptions = {}): Promise<TestGateway> {
  const { store: place = 'memory:', now, ...options } = given
  const keys = options.keys ?? [{ id: 'test', secret: testKey }]
  const settings = resolveSettings({ ...options, keys, store: 'memory:' }, { env: process.env })
  const store = typeof place === 'string' ? await openStore(place, { cwd: '.' }) : place
  const accessLog = collectLines()
  const log = collectLines()
  const reports = createLog(log.sink)
  const lines = createLineWriter(accessLog.sink)
  const ring = await createKeyRing({
    configured: settings.keys,
    store,
    onError: (error) => reports.error('the store failed', { error: String(error) }),
  })
  const states = await followAccountStates({
    store,
    onError: (error) =>
      reports.error('the store failed; accounts stay as they were', { error: String(error) }),
  })
  const health = {
    draining: false,
    inflight: () => gateway.inflight(),
    accounts: () => accounts.size,
    spool: () => gateway.spool(),
  }
  const publicUrl = createPublicUrl(settings.publicUrl)
  const plugins = pipeline({
    keys: ring,
    store,
    ...(now && { now }),
    log: reports,
    lines,
    health,
    samplingFields: settings.samplingFields,
    imageModels: settings.imageModels,
    uploads: { settings: settings.uploads, publicUrl, silenceMs: settings.timeouts.requestBodyMs },
    plugins: settings.plugins,
  })
  const accounts = createLiveAccounts({
    configured: settings,
    dialects: plugins.flatMap((plugin) => plugin.dialects ?? []),
    states,
    update: (snapshot) => gateway.update(snapshot),
  })
  const gateway = createGateway({
    ...settings,
    plugins,
    snapshot: accounts.snapshot,
    translation: createTranslationServices({ ...settings, store, log: reports }),
    onDefect: (message, error, about) => reports.error(message, { ...about, error: String(error) }),
  })
  const listener = await listen(gateway.listener, { host: '127.0.0.1', port: 0 })
  publicUrl.listening(listener.url)

  return {
    url: listener.url,
    key: testKey,
    gateway,
    accessLog: accessLog.lines,
    log: log.lines,
    async logged(count) {
      await until(async () => {
        await lines.flush()
        return accessLog.lines.length >= count
      })
      return accessLog.lines
    },
    reload(changed) {
      accounts.configure(resolveSettings({ ...options, ...changed, keys }, { env: process.env }))
    },
    async [Symbol.asyncDispose]() {
      listener.closeNow()
      await listener.close()
      await gateway.dispose()
      states.close()
      ring.close()
      if (store !== place) await store.close()
    },
  }
}
