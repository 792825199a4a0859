import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { defineDialect } from '../src/contract/dialect.ts'
import { defineOperation } from '../src/contract/operation.ts'
import type { Reply } from '../src/contract/outcome.ts'
import type { Account } from '../src/contract/account.ts'
import type { HealthState } from '../src/runtime/pipeline.ts'
import type { MaybePromise } from '../src/lib/maybe-promise.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/** Who reads it: anybody who reaches the address for clients, or whoever operates the gateway. */
export type HealthReader = 'anybody' | 'operator'

/** For whom, and of which accounts, details are told. */
export interface HealthQuestion {
  readonly reader: HealthReader
  /** As they are configured now. */
  readonly accounts: readonly Account[]
}

/**
 * What `/readyz?verbose` tells beside the status: counts and states, nothing secret. It wants no key,
 * so names of accounts are for operators alone.
 */
export type HealthDetails = (
  question: HealthQuestion,
) => MaybePromise<Readonly<Record<string, unknown>>>

export interface HealthPlugin extends GatewayPlugin {
  readonly details: HealthDetails
}

/**
 * `/livez` says that the process turns, `/readyz` whether to send it traffic. Neither asks a
 * provider or a store: their outage must not take every replica out at once.
 */
export function health(
  state: HealthState,
  details: HealthDetails = () => ({}),
  reader: HealthReader = 'anybody',
): HealthPlugin {
  const alive = defineOperation({
    id: 'health.live',
    method: 'GET',
    paths: ['/livez'],
    auth: 'none',
    summary: 'Whether the process is alive',
    serve: () => json(200, { status: 'ok' }),
  })
  const ready = defineOperation({
    id: 'health.ready',
    method: 'GET',
    paths: ['/readyz'],
    auth: 'none',
    summary: 'Whether the gateway takes requests; `?verbose` tells more',
    async serve({ request, snapshot: { accounts } }) {
      const told = /(^|&)verbose\b/.test(request.query) ? await details({ reader, accounts }) : {}
      if (state.draining) {
        return json(503, { status: 'draining', inflight: state.inflight(), ...told })
      }
      if (state.accounts() === 0) return json(503, { status: 'no_accounts', ...told })
      return json(200, { status: 'ok', ...told })
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

/** As the health of these plugins is told to clients, but to operators, with the names. */
export function operatorHealth(
  state: HealthState,
  plugins: readonly GatewayPlugin[],
): HealthPlugin {
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
