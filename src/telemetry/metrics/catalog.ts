import { genAi } from '../genai.ts'
import type { MetricDefinition } from './definition.ts'
import { processMetrics } from './process-metrics.ts'

const seconds14 = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const { errorType, operationName, providerName, requestModel, responseModel } = genAi
const ofClient = [operationName, providerName, requestModel, responseModel]
const ofServer = [operationName, providerName, requestModel, 'dragoman.dialect']

/** The metrics that requests feed. `docs/metrics.md` lists them. */
export const requestMetrics = {
  requests: {
    name: 'http.server.request.duration',
    type: 'histogram',
    unit: 's',
    help: 'Requests, from the head of the request to the last byte of the reply.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code', errorType],
    buckets: [
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
    ],
  },
  clientDuration: {
    name: 'gen_ai.client.operation.duration',
    type: 'histogram',
    unit: 's',
    help: 'Work of accounts on a call, all its attempts together.',
    labels: [...ofClient, errorType],
    buckets: seconds14,
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    type: 'histogram',
    unit: '{token}',
    help: 'Tokens of a call, as the account reports them.',
    labels: [...ofClient, genAi.tokenType],
    buckets: Array.from({ length: 14 }, (_, power) => 4 ** power),
  },
  serverDuration: {
    name: 'gen_ai.server.request.duration',
    type: 'histogram',
    unit: 's',
    help: 'Calls as their clients see them, to the last byte.',
    labels: [...ofServer, errorType],
    buckets: seconds14,
  },
  firstToken: {
    name: 'gen_ai.server.time_to_first_token',
    type: 'histogram',
    unit: 's',
    help: 'From a streamed call to its first output.',
    labels: ofServer,
    buckets: [
      0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15, 20,
      30, 45, 60,
    ],
  },
  perToken: {
    name: 'gen_ai.server.time_per_output_token',
    type: 'histogram',
    unit: 's',
    help: 'Time for each output token of a stream after the first.',
    labels: ofServer,
    buckets: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  },
  overhead: {
    name: 'dragoman.overhead.duration',
    type: 'histogram',
    unit: 's',
    help: 'Time of a call that no account worked on it: the gateway, the store, and its client.',
    labels: ['dragoman.dialect', 'dragoman.stream'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
  },
  attempts: {
    name: 'dragoman.upstream.attempts',
    type: 'counter',
    unit: '{attempt}',
    help: 'Attempts at accounts. `outcome`: ok, 4xx, 5xx, error (no status) or cancelled.',
    labels: ['dragoman.account', 'dragoman.outcome', errorType],
  },
  failovers: {
    name: 'dragoman.failovers',
    type: 'counter',
    unit: '{failover}',
    help: 'Calls that went on to another account. `pool`: the model; `reason`: the `error_type` of the failed attempt.',
    labels: ['dragoman.pool', 'dragoman.reason'],
  },
  fallbacks: {
    name: 'dragoman.fallbacks',
    type: 'counter',
    unit: '{fallback}',
    help: 'Calls that went on to another model. `pool`: the model that could not serve it; `reason`: the kind of failure.',
    labels: ['dragoman.pool', 'dragoman.reason'],
  },
  bindings: {
    name: 'dragoman.binding.lookups',
    type: 'counter',
    unit: '{lookup}',
    help: 'Calls that refer to an earlier response. `result`: hit, not_found, account_unavailable or lookup_error.',
    labels: ['dragoman.result'],
  },
  streamsEnded: {
    name: 'dragoman.streams.ended',
    type: 'counter',
    unit: '{stream}',
    help: 'Streams that ended. `reason`: completed, client_cancelled, drained or error.',
    labels: ['dragoman.dialect', 'dragoman.reason'],
  },
  authFailures: {
    name: 'dragoman.auth.failures',
    type: 'counter',
    unit: '{request}',
    help: 'Requests that were refused for their credential. `reason`: missing, invalid, expired (a key or a signed URL), disabled, scope (the key may not use the model), signature or unavailable (the store).',
    labels: ['dragoman.reason'],
  },
  store: {
    name: 'dragoman.store.operation.duration',
    type: 'histogram',
    unit: 's',
    help: 'Operations on the store.',
    labels: ['dragoman.store', 'dragoman.op', errorType],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3],
  },
  cost: {
    name: 'dragoman.cost',
    type: 'counter',
    unit: 'usd',
    help: 'Costs of the tokens that accounts report, by the prices of the configuration and the published ones.',
    labels: [providerName, requestModel],
    parts: 1e9,
  },
  costLookups: {
    name: 'dragoman.cost.lookups',
    type: 'counter',
    unit: '{lookup}',
    help: 'Attempts and ended jobs by what became of their price. `status`: priced, free, estimated (by the sizes of the texts), no_price (of the model), no_rate (of a class of tokens or a unit), no_tier (of the service tier), no_usage (reported) or invalid_usage.',
    labels: ['dragoman.status'],
  },
  reloads: {
    name: 'dragoman.config.reloads',
    type: 'counter',
    unit: '{reload}',
    help: 'Reloads of the configuration, of each worker its own. `result`: success or failure.',
    labels: ['dragoman.result'],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>

/** The metrics that are read from the parts of the gateway when someone asks. */
export const stateMetrics = {
  active: {
    name: 'http.server.active_requests',
    type: 'updown',
    unit: '{request}',
    help: 'Requests in flight.',
    labels: ['http.request.method', 'url.scheme'],
  },
  streams: {
    name: 'dragoman.streams.active',
    type: 'updown',
    unit: '{stream}',
    help: 'Streams in flight.',
    labels: ['dragoman.dialect'],
  },
  accountInFlight: {
    name: 'dragoman.account.inflight',
    type: 'updown',
    unit: '{request}',
    help: 'Calls that an account works on. `pool`: a name or pattern of its models.',
    labels: ['dragoman.account', 'dragoman.pool'],
  },
  accountLimit: {
    name: 'dragoman.account.max_concurrent',
    type: 'updown',
    unit: '{request}',
    help: 'The most calls at once at an account with `maxConcurrent`, of all processes together.',
    labels: ['dragoman.account'],
  },
  accountAvailable: {
    name: 'dragoman.account.available',
    type: 'gauge',
    unit: '{account}',
    help: 'Whether an account gets calls of a pool: 1, also while it is busy, or 0 if it is disabled or kept out, as a whole or for the model. `pool`: a name or pattern of its models. Of several processes the least.',
    labels: ['dragoman.account', 'dragoman.pool'],
    merge: 'min',
  },
  accountExcluded: {
    name: 'dragoman.account.excluded',
    type: 'gauge',
    unit: '{account}',
    help: 'What keeps calls from an account, or from one of its dialects: 1, only while it does. `reason`: disabled, circuit (no connection), refused (401, 402, 403), cooling (429), busy (at its `maxConcurrent`) or other (a plugin).',
    labels: ['dragoman.account', 'dragoman.reason'],
    merge: 'max',
  },
  modelsExcluded: {
    name: 'dragoman.account.models_excluded',
    type: 'gauge',
    unit: '{model}',
    help: 'How many of its models an account gets no calls of, only while there are some. `reason`: circuit (open in a dialect), refused, cooling (429) or other (a plugin).',
    labels: ['dragoman.account', 'dragoman.reason'],
    merge: 'max',
  },
  modelAvailable: {
    name: 'dragoman.model.available',
    type: 'gauge',
    unit: '{model}',
    help: 'Whether an account gets the calls of a model: 1, or 0 if all that have it are kept out. Models of disabled accounts only are left out. Of several processes the least.',
    labels: [requestModel],
    merge: 'min',
  },
  circuits: {
    name: 'dragoman.account.circuit.state',
    type: 'gauge',
    unit: '{state}',
    help: 'The worst circuit of an account: 0 closed, 1 half-open, 2 open. Of several processes the greatest.',
    labels: ['dragoman.account'],
    merge: 'max',
  },
  jobs: {
    name: 'dragoman.jobs',
    type: 'gauge',
    unit: '{job}',
    help: 'Jobs in the store by their last known state, at most 5,000 of all.',
    labels: ['dragoman.kind', 'dragoman.state'],
    merge: 'max',
  },
  limitsDegraded: {
    name: 'dragoman.limits.degraded',
    type: 'counter',
    unit: '{decision}',
    help: 'Decisions about limits that a process made alone, since the store was away.',
    labels: [],
  },
  limitAlerts: {
    name: 'dragoman.limit.alerts',
    type: 'counter',
    unit: '{alert}',
    help: 'Shares of budgets that were reached.',
    labels: [],
  },
  settlementsLost: {
    name: 'dragoman.limits.settlements_lost',
    type: 'counter',
    unit: '{settlement}',
    help: 'Charges of limits that found no room while the store was away.',
    labels: [],
  },
  settlementsWaiting: {
    name: 'dragoman.limits.settlements_waiting',
    type: 'updown',
    unit: '{settlement}',
    help: 'Charges of limits that wait in a file until the store is back.',
    labels: [],
  },
  reloadSuccessful: {
    name: 'dragoman.config.last_reload_successful',
    type: 'gauge',
    unit: '{state}',
    help: 'Whether the last reload took effect: 1, also before the first. Of several processes the least.',
    labels: [],
    merge: 'min',
  },
  reloadTime: {
    name: 'dragoman.config.last_reload.timestamp',
    type: 'gauge',
    unit: 's',
    help: 'When the configuration in use was read, in seconds since 1970.',
    labels: [],
    merge: 'min',
  },
  build: {
    name: 'dragoman.build.info',
    type: 'gauge',
    unit: '{info}',
    help: 'The version, as a label.',
    labels: ['dragoman.version'],
    merge: 'max',
  },
  ...processMetrics,
} as const satisfies Readonly<Record<string, MetricDefinition>>

/** All metrics, in the order of the page. */
export const catalog: readonly MetricDefinition[] = [
  ...Object.values(requestMetrics),
  ...Object.values(stateMetrics),
]
