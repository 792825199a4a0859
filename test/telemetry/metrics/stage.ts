import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'

import pipeline, { adminPipeline } from '../../../config/gateway.config.ts'
import { createMonitor } from '../../../src/admin/processes/monitor.ts'
import { startAdmin } from '../../../src/admin/start-admin.ts'
import { loadPlugins } from '../../../src/configuration/plugins/load.ts'
import type { Config } from '../../../src/configuration/config.generated.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { createGateway } from '../../../src/gateway.ts'
import { createLineWriter, createLog } from '../../../src/lib/log.ts'
import { type RunningGateway, startGateway } from '../../../src/runtime/start-gateway.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type Metrics, createMetrics } from '../../../src/telemetry/metrics/index.ts'
import { type LogLines, collectLines } from '../../../src/testing/lines.ts'
import { until } from '../../../src/testing/until.ts'

/** A gateway with metrics and its admin address. */
export interface MetricsStage extends AsyncDisposable {
  readonly url: string
  readonly adminUrl: string
  /** The secret of a viewer's admin token. */
  readonly token: string
  readonly running: RunningGateway
  readonly metrics: Metrics
  /** The access log, parsed. */
  readonly accessLog: LogLines
  /** A request with the key of the gateway. */
  ask(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends a request and reads its reply to the end. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<number>
  /** `GET /metrics`, from this machine. */
  scrape(headers?: Record<string, string>): Promise<{ status: number; type: string; text: string }>
  /** Scrapes until a sample is there; its value. */
  sample(line: string): Promise<number>
}

export const key = 'secret-of-a-key'

/** Starts it. `store`: an open store, in place of one in memory. */
export async function metricsStage(config: Config, store?: Store): Promise<MetricsStage> {
  const token = `dga_${randomBytes(32).toString('base64url')}`
  const env = {}
  const plugins = await loadPlugins(config, { file: resolve('dragoman.config.ts'), env })
  const settings = resolveSettings(
    {
      keys: [{ id: 'test', secret: key }],
      ...config,
      admin: {
        ...(config.admin === false ? {} : config.admin),
        tokens: [{ id: 'scraper', role: 'viewer', secret: token }],
      },
      store: 'memory:',
    },
    { env, plugins },
  )
  const accessLog = collectLines()
  const log = createLog({ write() {} })
  await using opening = new AsyncDisposableStack()
  const { metrics: setting } = settings.telemetry
  if (setting === false) throw new Error('A stage has metrics.')
  const metrics = opening.use(createMetrics({ setting, version: '1.2.3', now: Date.now }))
  const monitor = createMonitor()
  const running = opening.use(
    await startGateway({
      pipeline,
      settings,
      ...(store && { store }),
      metrics,
      monitor,
      log,
      lines: createLineWriter(accessLog.sink),
      cwd: '.',
    }),
  )
  const { health } = running
  const adminGateway = createGateway({
    plugins: adminPipeline({ health, metrics }, running.plugins),
    snapshot: running.accounts.snapshot,
  })
  opening.defer(() => adminGateway.dispose())
  const admin = opening.use(
    await startAdmin({
      running,
      settings: () => settings,
      log,
      others: adminGateway.listener,
      processes: { monitor },
    }),
  )
  // A server of the gateway's own would wait for a second until it is closed.
  const open = async (listener: RunningGateway['listener']) => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opening.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const url = await open(running.listener)
  running.publicUrl.listening(url)
  const adminUrl = await open(admin.listener)
  const opened = opening.move()
  const stage: MetricsStage = {
    url,
    adminUrl,
    token,
    running,
    metrics,
    accessLog: accessLog.lines,
    ask: (path, body, headers = {}) =>
      fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async call(path, body, headers) {
      const response = await stage.ask(path, body, headers)
      await response.arrayBuffer()
      return response.status
    },
    async scrape(headers = {}) {
      const response = await fetch(`${adminUrl}/metrics`, { headers })
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, text: await response.text() }
    },
    async sample(line) {
      let found: string | undefined
      await until(async () => {
        const { text } = await stage.scrape()
        found = text.split('\n').find((one) => one.startsWith(`${line} `))
        return found !== undefined
      }).catch(async (error: unknown) => {
        throw new Error(`No sample ${line} in:\n${(await stage.scrape()).text}`, { cause: error })
      })
      return Number(found!.slice(line.length + 1))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
  return stage
}

/** Sends a request as it is, with any method, path and headers. Resolves with its status. */
export function sendRaw(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('error', reject)
      .end()
  })
}
