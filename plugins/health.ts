import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { defineDialect } from '../src/contract/dialect.ts'
import { defineOperation } from '../src/contract/operation.ts'
import type { Reply } from '../src/contract/outcome.ts'
import type { Account } from '../src/contract/account.ts'
import type { HealthState } from '../src/runtime/pipeline.ts'
import type { MaybePromise } from '../src/lib/maybe-promise.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/** The reader of the details: a client of the API address, or an operator on the admin address. */
type HealthReader = 'client' | 'operator'

/**
 * Names of `/livez` on the admin address, for load balancers and probes of the start: a process listens
 * when its first configuration is applied.
 */
const otherProbes = ['/healthz', '/startupz']

/** The input of `HealthDetails`. */
interface HealthQuery {
  readonly reader: HealthReader
  /** The accounts of the current configuration. */
  readonly accounts: readonly Account[]
}

/**
 * Returns the fields that `/readyz?verbose` adds to the status: counts and states, no secrets. The
 * endpoint needs no API key, so only operators may see ids of accounts.
 */
export type HealthDetails = (query: HealthQuery) => MaybePromise<Readonly<Record<string, unknown>>>

/** The plugin that `health` returns. */
interface HealthPlugin extends GatewayPlugin {
  readonly details: HealthDetails
}

/**
 * Serves `/livez`, which answers 200 while the process runs, and `/readyz`, which answers 503 if the
 * process should get no traffic. Neither depends on a provider or a store: their outage must not take
 * every replica out of service.
 */
export function health(
  state: HealthState,
  details: HealthDetails = () => ({}),
  reader: HealthReader = 'client',
): HealthPlugin {
  const alive = defineOperation({
    id: 'health.live',
    method: 'GET',
    paths: ['/livez', ...(reader === 'operator' ? otherProbes : [])],
    auth: 'none',
    summary: 'Whether the process is alive',
    serve: () => json(200, { status: 'ok' }),
  })
  const ready = defineOperation({
    id: 'health.ready',
    method: 'GET',
    paths: ['/readyz'],
    auth: 'none',
    summary: 'Whether the gateway accepts requests; `?verbose` adds details on the admin address',
    async serve({ request, snapshot: { accounts } }) {
      // Strangers reach the API address: it has details only where there is no other one.
      const isVerbose = reader === 'operator' || !state.cluster
      const isAsked = isVerbose && /(^|&)verbose\b/.test(request.query)
      const extra = isAsked ? await details({ reader, accounts }) : {}
      if (state.draining) {
        return json(503, { status: 'draining', inflight: state.inflight(), ...extra })
      }
      if (state.accounts() === 0) return json(503, { status: 'no_accounts', ...extra })
      return json(200, { status: 'ok', ...extra })
    },
  })
  const dialect = defineDialect({
    id: 'health',
    credential: () => undefined,
    error: errorEnvelope,
    operations: [alive, ready],
  })
  return { ...definePlugin({ name: 'health', dialects: [dialect] }), details }
}

/** The health plugin for the admin address. Takes its details from the health plugin in `plugins`. */
export function adminHealth(state: HealthState, plugins: readonly GatewayPlugin[]): HealthPlugin {
  return health(state, plugins.find(isHealth)?.details, 'operator')
}

function isHealth(plugin: GatewayPlugin): plugin is HealthPlugin {
  return plugin.name === 'health' && 'details' in plugin
}

function json(status: number, body: object): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  }
}
