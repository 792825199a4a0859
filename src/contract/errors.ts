import type { RefusedKey } from './request.ts'

/**
 * The HTTP status and the kind of every error that the gateway can return. A dialect maps the kind to
 * its own error type (`invalid_request_error`, `INVALID_ARGUMENT`, ...). `retry` is the value of
 * `x-should-retry`, which the official SDKs obey; without it they decide by the status, and coding agents
 * retry a refused key for minutes.
 */
export const errorTable = {
  invalid_request: { status: 400, kind: 'invalid', retry: false },
  invalid_json: { status: 400, kind: 'invalid', retry: false },
  invalid_form: { status: 400, kind: 'invalid', retry: false },
  invalid_value: { status: 400, kind: 'invalid', retry: false },
  missing_required_parameter: { status: 400, kind: 'invalid', retry: false },
  duplicate_parameter: { status: 400, kind: 'invalid', retry: false },
  invalid_encoding: { status: 400, kind: 'invalid', retry: false },
  context_length_exceeded: { status: 400, kind: 'invalid', retry: false },
  conversation_model_mismatch: { status: 400, kind: 'invalid', retry: false },
  previous_response_not_found: { status: 400, kind: 'invalid', retry: false },
  unauthenticated: { status: 401, kind: 'authentication', retry: false },
  budget_exceeded: { status: 402, kind: 'billing', retry: false },
  model_unpriced: { status: 403, kind: 'permission', retry: false },
  permission_denied: { status: 403, kind: 'permission', retry: false },
  url_signature_invalid: { status: 403, kind: 'permission', retry: false },
  url_expired: { status: 403, kind: 'permission', retry: false },
  not_found: { status: 404, kind: 'not_found', retry: false },
  model_not_found: { status: 404, kind: 'not_found', retry: false },
  method_not_allowed: { status: 405, kind: 'invalid', retry: false },
  request_timeout: { status: 408, kind: 'timeout' },
  already_exists: { status: 409, kind: 'conflict', retry: false },
  request_too_large: { status: 413, kind: 'too_large', retry: false },
  unsupported_media_type: { status: 415, kind: 'invalid', retry: false },
  plugin_rejected: { status: 422, kind: 'invalid' },
  upgrade_required: { status: 426, kind: 'invalid', retry: false },
  rate_limited: { status: 429, kind: 'rate_limit' },
  quota_exceeded: { status: 429, kind: 'rate_limit', retry: false },
  budget_in_use: { status: 429, kind: 'rate_limit' },
  client_closed_request: { status: 499, kind: 'cancelled' },
  internal_error: { status: 500, kind: 'internal' },
  plugin_failed: { status: 500, kind: 'internal' },
  misconfigured: { status: 500, kind: 'internal', retry: false },
  upstream_rejected: { status: 502, kind: 'upstream' },
  upstream_unreachable: { status: 502, kind: 'upstream' },
  upstream_invalid_reply: { status: 502, kind: 'upstream' },
  upstream_reply_too_large: { status: 502, kind: 'upstream' },
  upstream_account_refused: { status: 502, kind: 'upstream', retry: false },
  upstream_stream_broken: { status: 502, kind: 'upstream' },
  no_account_available: { status: 503, kind: 'overloaded' },
  owner_unavailable: { status: 503, kind: 'overloaded', retry: false },
  previous_response_account_unavailable: { status: 503, kind: 'overloaded', retry: false },
  previous_response_lookup_unavailable: { status: 503, kind: 'overloaded', retry: true },
  lookup_unavailable: { status: 503, kind: 'overloaded', retry: true },
  limits_unavailable: { status: 503, kind: 'overloaded', retry: true },
  spool_full: { status: 503, kind: 'overloaded', retry: true },
  memory_full: { status: 503, kind: 'overloaded', retry: true },
  spool_unavailable: { status: 503, kind: 'overloaded', retry: true },
  service_unavailable: { status: 503, kind: 'overloaded', retry: true },
  draining: { status: 503, kind: 'overloaded', retry: true },
  exchange_cancelled: { status: 503, kind: 'overloaded', retry: false },
  storage_unavailable: { status: 503, kind: 'overloaded', retry: true },
  upstream_timeout: { status: 504, kind: 'timeout' },
  storage_full: { status: 507, kind: 'overloaded', retry: false },
} as const satisfies Record<string, { status: number; kind: ErrorKind; retry?: boolean }>

/** The `code` of an error: stable, for programs. */
export type ErrorCode = keyof typeof errorTable

/** Errors that operators have to fix, and whose causes clients do not learn. */
export const defectCodes: ReadonlySet<ErrorCode> = new Set(['internal_error', 'spool_unavailable'])

/** The class of an error, from which dialects derive their error type. */
export type ErrorKind =
  | 'invalid'
  | 'authentication'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limit'
  | 'cancelled'
  | 'internal'
  | 'overloaded'
  | 'upstream'
  | 'timeout'

/** An upstream's error reply. `json` is absent if the body is not JSON. */
export interface UpstreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly json?: unknown
}

/** Optional details of a `GatewayError`. */
export interface GatewayErrorOptions {
  /** Overrides the status of the table, for example with the upstream's status. */
  status?: number
  /** The request field at fault. */
  param?: string
  /** Facts for programs, which the first of the `details` of the error has. */
  details?: Readonly<Record<string, unknown>>
  /** Further reply headers, e.g. `retry-after`. */
  headers?: Record<string, string>
  /**
   * When the client may repeat the request, in milliseconds: the header `retry-after`, in whole seconds. Official
   * SDKs wait for at most a minute, so a longer time marks the error as one that they do not retry.
   */
  retryAfterMs?: number
  /** Overrides `retry` of the table. */
  retry?: boolean
  upstream?: UpstreamAnswer
  /** The code of an error that the account reports inside a stream, for clients of dialects with codes. */
  upstreamCode?: string | undefined
  /** The key that is refused, for operators. No client learns of it. */
  refusedKey?: RefusedKey | undefined
  cause?: unknown
}

const marker = Symbol.for('dragoman.error')

/** An error that the gateway returns to a client. The client reads its message, so it must hold no secret. */
export class GatewayError extends Error {
  readonly [marker] = true
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly retry: boolean | undefined
  readonly upstream: UpstreamAnswer | undefined
  readonly upstreamCode: string | undefined
  readonly refusedKey: RefusedKey | undefined

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'GatewayError'
    this.code = code
    const row: { status: number; retry?: boolean } = errorTable[code]
    this.status = options.status ?? row.status
    this.param = options.param
    this.details = options.details
    const { retryAfterMs } = options
    this.headers = { ...retryAfter(retryAfterMs), ...options.headers }
    const isOverridden = this.status !== row.status
    const ofTable = isOverridden && row.status < 500 ? undefined : row.retry
    this.retry =
      options.retry ?? (retryAfterMs === undefined ? ofTable : retryAfterMs <= longestWaitMs)
    this.upstream = options.upstream
    this.upstreamCode = options.upstreamCode
    this.refusedKey = options.refusedKey
  }

  /** The kind of the code, or of the status where `options.status` overrides the table. */
  get kind(): ErrorKind {
    return this.status === errorTable[this.code].status
      ? errorTable[this.code].kind
      : kindOfStatus(this.status)
  }

  /** Whether a value is a `GatewayError`, also one of another installed copy of this package. */
  static isInstance(value: unknown): value is GatewayError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

/** How long the official SDKs of OpenAI and Anthropic wait for a `retry-after`, in milliseconds. */
const longestWaitMs = 60_000

function retryAfter(milliseconds: number | undefined): Record<string, string> {
  if (milliseconds === undefined) return {}
  return { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / 1_000))) }
}

/** The error kind of an HTTP status. */
export function kindOfStatus(status: number): ErrorKind {
  return statusKinds[status] ?? (status >= 500 ? 'upstream' : 'invalid')
}

const statusKinds: Record<number, ErrorKind> = {
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limit',
  499: 'cancelled',
  500: 'internal',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
}

/**
 * Converts any thrown value: a `GatewayError` stays itself, others become `internal_error` with the value as
 * `cause`.
 */
export function toGatewayError(thrown: unknown): GatewayError {
  if (GatewayError.isInstance(thrown)) return thrown
  return new GatewayError('internal_error', 'The gateway failed to process this request.', {
    cause: thrown,
  })
}
