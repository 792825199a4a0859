import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'

import pipeline from '../../config/gateway.config.ts'
import type { Config } from '../configuration/config.generated.ts'
import { loadPlugins } from '../configuration/plugins/load.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { Settings } from '../configuration/settings.ts'
import { resolveSettings } from '../configuration/resolve.ts'
import type { Gateway } from '../gateway.ts'
import { createLineWriter, createLog } from '../lib/log.ts'
import { listen } from '../http/listen.ts'
import { type RunningGateway, startGateway } from '../runtime/start-gateway.ts'
import { hashSecret } from '../stores/key-secret.ts'
import type { Store } from '../stores/store.ts'
import { type LogLines, collectLines } from './lines.ts'
import { until } from './until.ts'

/** A configuration; every setting has a default for tests. */
export interface TestGatewayOptions extends Omit<Config, 'listen' | 'admin' | 'store'> {
  /** A URL, or an open store, which stays open. Default: `memory:`. */
  readonly store?: string | Store
  /** The clock of bindings and signed URLs, in milliseconds since 1970. */
  readonly now?: () => number
  /** Whether the admin API is served as well. */
  readonly admin?: boolean
  /** The environment variables. Default: the process's. */
  readonly env?: EnvironmentVariables
}

/** The admin API of a gateway under test. */
export interface TestAdmin {
  /** `http://127.0.0.1:PORT`: the endpoint is `/graphql`. */
  readonly url: string
  /** The secrets of its tokens, one for each role. */
  readonly tokens: { readonly viewer: string; readonly operator: string; readonly admin: string }
  /** Sends an operation as a role. Default: `admin`. */
  ask(
    query: string,
    options?: {
      readonly variables?: object
      readonly role?: 'viewer' | 'operator' | 'admin'
    },
  ): Promise<{ readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] }>
}

/** A running gateway, its logs and its API key. */
export interface TestGateway extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The secret of the API key `test`, which exists unless the options have `keys`. */
  readonly key: string
  readonly gateway: Gateway
  /** The access log, parsed. A line appears shortly after the last byte of its exchange. */
  readonly accessLog: LogLines
  /** The gateway's own log, parsed, without `attemptWarnings`. */
  readonly log: LogLines
  /** The warnings of failed attempts in the gateway's own log. */
  readonly attemptWarnings: LogLines
  /** Resolves with the access log once it has this many lines. */
  logged(lines: number): Promise<LogLines>
  /** The admin API, if the options ask for it. */
  readonly admin?: TestAdmin
  /** Replaces accounts, aliases, teams, quotas and trusted proxies, as a reload of the configuration does. */
  reload(
    options: Pick<
      TestGatewayOptions,
      'accounts' | 'aliases' | 'teams' | 'quotas' | 'trustedProxies'
    >,
  ): void
}

const testKey = 'test-secret'

/**
 * Starts the shipped pipeline on a free port of the loopback interface. Five failures of a model in a row open its
 * circuit, also those on purpose: its later calls get a 503, for which `log` and `excluded` of `accessLog` name the
 * circuit.
 */
export async function createTestGateway(
  testOptions: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { store, now, admin: hasAdmin = false, env = process.env, ...options } = testOptions
  const keys = options.keys ?? [{ id: 'test', secret: testKey }]
  const isOpen = typeof store === 'object'
  const plugins = await loadPlugins(options, { file: resolve('dragoman.config.ts'), env })
  const settingsOf = (changed: Config) => resolveSettings(changed, { env, plugins })
  const accessLog = collectLines()
  const log = collectLines()
  const attemptWarnings = collectLines()
  const isWarning = (line: string) => line.includes('"msg":"an attempt failed"')
  const lines = createLineWriter(accessLog.sink)
  await using opening = new AsyncDisposableStack()
  const running = opening.use(
    await startGateway({
      pipeline,
      settings: settingsOf({ ...options, keys, store: isOpen ? 'memory:' : (store ?? 'memory:') }),
      ...(isOpen && { store }),
      cwd: '.',
      env,
      log: createLog({
        write: (line) => (isWarning(line) ? attemptWarnings : log).sink.write(line),
      }),
      lines,
      ...(now && { now }),
    }),
  )
  const listener = await listen(running.listener, {
    host: '127.0.0.1',
    port: 0,
    proxies: running.proxies,
    errors: running.errors,
    sockets: running.gateway.sockets,
  })
  opening.defer(() => listener.close())
  opening.defer(() => listener.closeNow())
  running.publicUrl.listening(listener.url)
  const admin = hasAdmin ? await startTestAdmin(running, settingsOf(options), opening) : undefined
  const opened = opening.move()

  return {
    url: listener.url,
    key: testKey,
    gateway: running.gateway,
    accessLog: accessLog.lines,
    log: log.lines,
    attemptWarnings: attemptWarnings.lines,
    ...(admin && { admin }),
    async logged(count) {
      await until(async () => {
        await lines.flush()
        return accessLog.lines.length >= count
      })
      return accessLog.lines
    },
    reload: (changed) => running.configure(settingsOf({ ...options, ...changed, keys })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function startTestAdmin(
  running: RunningGateway,
  settings: Settings,
  opening: AsyncDisposableStack,
): Promise<TestAdmin> {
  const { startAdmin } = await import('../admin/start-admin.ts')
  const tokens = { viewer: newToken(), operator: newToken(), admin: newToken() }
  const adminTokens = (['viewer', 'operator', 'admin'] as const).map((role) => {
    return { id: role, role, hash: hashSecret(tokens[role]) }
  })
  const withTokens = { ...settings, adminTokens }
  const api = opening.use(
    await startAdmin({
      running,
      settings: () => withTokens,
      log: createLog({ write() {} }),
      others: (_request, response) => response.writeHead(404).end(),
    }),
  )
  const { url, ...listener } = await listen(api.listener, { host: '127.0.0.1', port: 0 })
  opening.defer(() => listener.close())
  opening.defer(() => listener.closeNow())
  return {
    url,
    tokens,
    async ask(query, { variables = {}, role = 'admin' } = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[role]}` },
        body: JSON.stringify({ query, variables }),
      })
      return (await response.json()) as Awaited<ReturnType<TestAdmin['ask']>>
    },
  }
}

function newToken(): string {
  return `dga_${randomBytes(32).toString('base64url')}`
}
