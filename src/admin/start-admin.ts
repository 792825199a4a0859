import type { RequestListener } from 'node:http'

import type { GraphQLSchema } from 'graphql'

import { sessionIdle } from '../configuration/admin-schema.ts'
import { type ConfigurationInUse, trackConfiguration } from '../configuration/in-use.ts'
import type { Settings } from '../configuration/settings.ts'
import { type TrustedProxies, createTrustedProxies } from '../exchange/client.ts'
import { type Log, describeError } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import { accessOf } from './http/site.ts'
import { type AuditLog, createAuditLog } from '../audit/log.ts'
import { type ReadConsole, createConsole } from './console-build.ts'
import { createAuthenticate } from './authenticate.ts'
import { createActRates } from './act-rates.ts'
import { createActRecords } from './act-records.ts'
import { createRightsOf } from './grants.ts'
import { type AdminLimits, adminLimits } from './limits.ts'
import { answerForAccounts, callsOf, readmitEverywhere } from './processes/account-acts.ts'
import { answerForActs } from './processes/acts.ts'
import { answerForChanges } from './processes/changes-in-force.ts'
import { describeCluster } from './processes/cluster-view.ts'
import { type ProcessesOptions, startProcesses } from './processes/index.ts'
import { answerForPulse } from './processes/pulse.ts'
import { answerForExchanges } from './processes/remote-exchanges.ts'
import { describeConfiguration } from './processes/this-process.ts'
import { createDryRuns } from './dry-runs.ts'
import type { AnswerGraphQL } from './http/graphql.ts'
import { createReads } from './reads.ts'
import { createDeniedActLog } from './denied-acts.ts'
import { createAdminListener } from './server.ts'
import type { AdminServices } from './services.ts'
import { createSessions } from './sessions.ts'
import { type TokenRing, createTokenRing } from './token-ring.ts'

/** Options of `startAdmin`. */
interface AdminOptions {
  readonly running: RunningGateway
  /** The configuration that is in use now. */
  readonly settings: () => Settings
  /** Default: `settings` as they are now. */
  readonly configuration?: ConfigurationInUse
  readonly log: Log
  /** Serves all paths that are not of the admin API: health and metrics. */
  readonly others: RequestListener
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** See `AdminServices`. */
  readonly uptime?: () => number
  /** Default: reads where the build of the package writes the console. */
  readonly readConsole?: ReadConsole
  /** Replaces limits. For tests. */
  readonly limits?: Partial<AdminLimits>
  /** Replaces the schema. For tests. */
  readonly schema?: GraphQLSchema
  /** This process among the others. Absent members have defaults that need no program. */
  readonly processes?: Partial<Pick<ProcessesOptions, 'control' | 'monitor' | 'worker' | 'version'>>
}

/** The admin API of a running gateway. */
export interface RunningAdmin extends AsyncDisposable {
  /** For `node:http`. */
  readonly listener: RequestListener
  readonly services: AdminServices
  /** The proxies before the admin address, for `listen`. */
  readonly proxies: TrustedProxies
}

/** Starts the admin API. It does not listen; pass `listener` to a server. */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const { running, settings, others, limits, schema } = options
  await using opening = new AsyncDisposableStack()
  const { services } = opening.use(await startServices(options))
  const { audit, processes, tokens } = services
  await processes.beat()
  const sweeping = sweepAudit(audit)
  opening.defer(() => clearInterval(sweeping))
  running.health.cluster = () => processes.cluster().then(describeCluster)
  opening.defer(() => void (running.health.cluster = undefined))
  const proxies = createTrustedProxies(() => accessOf(settings()).trustedProxies)
  let answerGraphQL: AnswerGraphQL | undefined
  // A load that fails, as without a free file descriptor, is tried again with the next operation.
  const loadGraphQL = async () => {
    const { createGraphQL } = await import('./http/graphql.ts')
    return (answerGraphQL ??= createGraphQL(services, { ...adminLimits, ...limits }, schema))
  }
  // Problems of additions of plugins end a start.
  if (running.plugins.some(({ admin }) => admin)) await loadGraphQL()
  const listener = createAdminListener({
    services,
    authenticate: createAuthenticate(tokens),
    findToken: tokens.find,
    others,
    proxies,
    readConsole: options.readConsole ?? createConsole(),
    loadGraphQL,
    ...(limits && { limits }),
  })
  const opened = opening.move()
  return { listener, services, proxies, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The parts that the resolvers of the schema work on. */
interface StartedServices extends AsyncDisposable {
  readonly services: AdminServices
}

/** Starts what the schema works on. The other processes do not see this one before its first `beat`. */
export async function startServices(
  options: Omit<AdminOptions, 'others' | 'schema'>,
): Promise<StartedServices> {
  const { running, settings, log, limits, now = Date.now } = options
  const { configuration = trackConfiguration(settings(), { now }).inUse } = options
  const { uptime = () => performance.now() } = options
  await using opening = new AsyncDisposableStack()
  const processes = opening.use(
    await startProcesses({
      running,
      log,
      now,
      version: 'unknown',
      control: {},
      configuration: describeConfiguration(configuration),
      ...options.processes,
    }),
  )
  answerForExchanges(processes)
  answerForPulse(processes, now)
  answerForActs(processes)
  answerForAccounts(processes, running, log)
  const audit = createAuditLog({
    store: running.store,
    now,
    onRecord(entry) {
      log.info('audit', { audit: entry })
      processes.noteAudit(entry)
    },
  })
  const deniedActs = createDeniedActLog(audit, log)
  opening.defer(() => deniedActs.close())
  const tokens = await followTokens(options)
  opening.defer(() => tokens.close())
  answerForChanges(processes, running, tokens)
  const rightsOf = createRightsOf({
    tokens,
    oidc: () => accessOf(settings()).oidc,
  })
  const services: AdminServices = {
    running,
    settings,
    configuration,
    audit,
    actRecords: createActRecords(audit, uptime),
    processes,
    reads: createReads(),
    dryRuns: createDryRuns(),
    actRates: createActRates({ ...adminLimits, ...limits }, uptime),
    deniedActs,
    sessions: createSessions({
      store: running.store,
      rightsOf,
      idleMs: () => accessOf(settings()).sessionIdleMs ?? sessionIdle.usual,
      now,
    }),
    tokens,
    log,
    now,
    uptime,
    readmit: (command) => readmitEverywhere(processes, command),
    calls: callsOf(processes),
  }
  const opened = opening.move()
  return { services, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const noTokens: NonNullable<Settings['adminTokens']> = []

function followTokens({
  running,
  settings,
  log,
  now = Date.now,
}: Pick<AdminOptions, 'running' | 'settings' | 'log' | 'now'>): Promise<TokenRing> {
  return createTokenRing({
    configured: () => settings().adminTokens ?? noTokens,
    store: running.store,
    now,
    onError: (error) =>
      log.error('the store failed; the last known admin tokens stay valid', describeError(error)),
    onUnreadable: (ids) =>
      log.error('records of admin tokens are damaged; these tokens are rejected', { tokens: ids }),
  })
}

/** Milliseconds between two looks at the oldest records, and how many are read. */
const sweepMs = 60 * 60_000
const sweepSize = 500

/** Reading the end of the log with the oldest records removes the ids of records that have expired. */
function sweepAudit(audit: Pick<AuditLog, 'positions'>): NodeJS.Timeout {
  const sweep = () => void audit.positions({ limit: sweepSize }).catch(() => {})
  sweep()
  return setInterval(sweep, sweepMs).unref()
}
