import { randomBytes } from 'node:crypto'

import type { GraphQLSchema } from 'graphql'

import pipeline from '../../config/gateway.config.ts'
import type { AdminLimits } from '../../src/admin/limits.ts'
import type { ProcessControl } from '../../src/admin/processes/index.ts'
import { createMonitor } from '../../src/admin/processes/monitor.ts'
import type { Role } from '../../src/admin/roles.ts'
import { roles } from '../../src/admin/roles.ts'
import type { AdminServices } from '../../src/admin/services.ts'
import { type RunningAdmin, startAdmin } from '../../src/admin/start-admin.ts'
import type { Config } from '../../src/configuration/config.generated.ts'
import { trackConfiguration } from '../../src/configuration/in-use.ts'
import { checkReloadedConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'
import type { Settings } from '../../src/configuration/settings.ts'
import { type ReadConsole, createConsole } from '../../src/admin/console-build.ts'
import { testOperations } from './http/send.ts'
import { listen } from '../../src/http/listen.ts'
import { createLineWriter, createLog } from '../../src/lib/log.ts'
import { type RunningGateway, startGateway } from '../../src/runtime/start-gateway.ts'
import type { Store } from '../../src/stores/store.ts'
import { type LogLines, collectLines } from '../../src/testing/lines.ts'

/** The configuration of a gateway, with a store that may be open already. */
export interface AdminGatewayOptions extends Omit<Config, 'listen' | 'store'> {
  readonly store?: string | Store
  readonly now?: () => number
  /** The clock of rates. */
  readonly uptime?: () => number
  /** The configured tokens. Default: one for each role, with its name as id. */
  readonly tokens?: AdminTokens
  /** Default: those of the admin API, but for the rates of operations and acts, which tests exceed. */
  readonly adminLimits?: Partial<AdminLimits>
  /** The directory with the build of the console. */
  readonly console?: string
  /** Replaces the schema. */
  readonly schema?: GraphQLSchema
  /** Environment variables, besides those of the process. */
  readonly env?: Readonly<Record<string, string>>
  /** What the program that runs the gateway can do. */
  readonly control?: ProcessControl
}

type AdminTokens = Exclude<NonNullable<Config['admin']>, false>['tokens']

/** The answer of a GraphQL operation. `Data` is what the operation asks for. */
export interface GraphAnswer<Data = Record<string, unknown>> {
  readonly status: number
  /** Null if an error took all of it. */
  readonly data: Data
  readonly errors: { message: string; path?: string[]; extensions?: { code?: string } }[]
  /** What the result lacks. */
  readonly extensions: {
    readonly incomplete?: { readonly field: string; readonly reason: string }[]
  }
}

/** A gateway with its admin API, each on a port of the loopback interface. */
export interface AdminGateway extends AsyncDisposable {
  /** The address of the API. */
  readonly url: string
  /** The address of the admin API. */
  readonly adminUrl: string
  readonly key: string
  readonly running: RunningGateway
  readonly admin: RunningAdmin
  /** Changes the configuration, as a reload does. */
  reconfigure(changes: Partial<Settings>): void
  /** Reloads the configuration with these changes. */
  reload(changes: Partial<Config>): Promise<void>
  readonly services: AdminServices
  readonly log: LogLines
  readonly accessLog: LogLines
  /** Writes the lines that the access log has waiting. */
  flush(): Promise<void>
  /** What was written to both logs. */
  written(): string
  /** The secret of the token of a role. */
  token(role: Role): string
  /** Sends an operation as a role, default `admin`. */
  graph<Data>(query: string, variables?: object, role?: Role): Promise<GraphAnswer<Data>>
}

/** A page of a connection. */
export interface Page<Node> {
  readonly edges: { readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** The nodes of a page. */
export function nodesOf<Node>({ edges }: Pick<Page<Node>, 'edges'>): Node[] {
  return edges.map(({ node }) => node)
}

/** The operations of tests, besides the operations of the build. */
function withTestOperations(readConsole: ReadConsole): ReadConsole {
  return async () => {
    const build = await readConsole()
    if (testOperations.size === 0) return build
    const operations = new Map([...(build?.operations ?? []), ...testOperations])
    return { page: '', files: new Map(), ...build, operations }
  }
}

/** Starts a gateway whose admin API has a token for each role. */
export async function startAdminGateway({
  store,
  now,
  uptime,
  tokens,
  adminLimits = {
    tokenBurst: 100_000,
    sessionBurst: 100_000,
    actBurst: 100_000,
    failedActBurst: 100_000,
    exportsPerMinute: 100_000,
  },
  console,
  schema,
  env: added = {},
  control,
  ...options
}: AdminGatewayOptions = {}): Promise<AdminGateway> {
  const key = 'test-secret'
  const isOpen = typeof store === 'object'
  const secrets = new Map(
    roles.map((role) => [role, `dga_${randomBytes(32).toString('base64url')}`]),
  )
  const env = { ...process.env, ...added }
  const config = {
    keys: [{ id: 'test', secret: key }],
    ...options,
    admin: {
      ...options.admin,
      tokens: tokens ?? [...secrets].map(([id, secret]) => ({ id, role: id, secret })),
    },
    store: isOpen ? 'memory:' : (store ?? 'memory:'),
  }
  const settings = resolveSettings(config, { env })
  const tracker = trackConfiguration(settings, now && { now })
  const { inUse } = tracker
  const texts: string[] = []
  const log = collectLines()
  const accessLog = collectLines()
  const noting = ({ sink }: typeof log): typeof sink => ({
    writableLength: 0,
    write(text, callback) {
      texts.push(text)
      return sink.write(text, callback)
    },
  })
  const lines = createLineWriter(noting(accessLog))
  await using opening = new AsyncDisposableStack()
  const monitor = createMonitor()
  const running = opening.use(
    await startGateway({
      pipeline,
      settings,
      ...(isOpen && { store }),
      env,
      monitor,
      cwd: '.',
      log: createLog(noting(log)),
      lines,
      ...(now && { now }),
    }),
  )
  const admin = opening.use(
    await startAdmin({
      running,
      settings: () => inUse.settings,
      configuration: inUse,
      log: createLog(noting(log)),
      others: (_request, response) => response.writeHead(404).end(),
      limits: adminLimits,
      readConsole:
        console === undefined ? withTestOperations(createConsole()) : createConsole(console),
      ...(schema && { schema }),
      processes: { monitor, version: '1.2.3', ...(control && { control }) },
      ...(now && { now }),
      ...(uptime && { uptime }),
    }),
  )
  const listeners = await Promise.all(
    [running.listener, admin.listener].map((one) => listen(one, { host: '127.0.0.1', port: 0 })),
  )
  for (const listener of listeners) {
    opening.defer(() => listener.close())
    opening.defer(() => listener.closeNow())
  }
  const [url, adminUrl] = listeners.map((listener) => listener.url) as [string, string]
  running.publicUrl.listening(url)
  const opened = opening.move()
  const token = (role: Role) => secrets.get(role)!
  return {
    url,
    adminUrl,
    key,
    running,
    admin,
    services: admin.services,
    log: log.lines,
    accessLog: accessLog.lines,
    flush: () => lines.flush(),
    written: () => texts.join(''),
    reconfigure: (changes) => void tracker.reloaded({ ...inUse.settings, ...changes }),
    async reload(changes) {
      const { settings: next, problems } = await checkReloadedConfiguration(
        { ...config, ...changes },
        { env },
      )
      await tracker.prepare(next)
      await running.prepare(next)
      running.configure(next, problems)
      tracker.reloaded(next)
    },
    token,
    graph: (async (query, variables = {}, role = 'admin') => {
      const response = await fetch(`${adminUrl}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token(role)}` },
        body: JSON.stringify({ query, variables }),
      })
      const { data, errors = [], extensions = {} } = (await response.json()) as Partial<GraphAnswer>
      return { status: response.status, data, errors, extensions }
    }) as AdminGateway['graph'],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
