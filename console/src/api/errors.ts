/**
 * Why there is no answer. `refused`: the role may not, or the request is at fault. `away`: the gateway or its store
 * does not answer. `signed-out`: there is no session. `busy`: too many requests. `failed`: a defect.
 */
export type ApiErrorKind = 'refused' | 'away' | 'signed-out' | 'busy' | 'failed'

/** The admin API has not answered an operation. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  /** `FORBIDDEN`, `STORE_UNAVAILABLE` and so on; empty if nothing answers. */
  readonly code: string
  /** When another request is welcome, in milliseconds. */
  readonly retryAfterMs: number

  constructor(kind: ApiErrorKind, message: string, code = '', retryAfterMs = 0) {
    super(message)
    this.name = 'ApiError'
    this.kind = kind
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Nothing answers at all. */
export function awayError(): ApiError {
  return new ApiError('away', 'The gateway does not answer.')
}

/** An error of any kind, as pages show it. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('failed', error instanceof Error ? error.message : String(error))
}

const kinds: Readonly<Record<string, ApiErrorKind>> = {
  UNAUTHENTICATED: 'signed-out',
  FORBIDDEN: 'refused',
  BAD_USER_INPUT: 'refused',
  TOO_MANY_REQUESTS: 'busy',
  STORE_UNAVAILABLE: 'away',
}

/** The error of a code of the API. */
export function errorOf(code: string, message: string, status = 200, retryAfterMs = 0): ApiError {
  const kind = kinds[code] ?? kindOfStatus(status)
  return new ApiError(kind, message, code, retryAfterMs)
}

function kindOfStatus(status: number): ApiErrorKind {
  if (status === 401) return 'signed-out'
  if (status === 429) return 'busy'
  if (status === 502 || status === 503 || status === 504) return 'away'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}
