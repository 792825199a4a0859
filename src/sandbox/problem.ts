/** Details of an error beside its message. Each provider renders those that its format has. */
type ProblemDetails = {
  /** The provider's own short code, such as `invalid_api_key`. */
  code?: string | undefined
  /** The request parameter at fault. */
  param?: string | undefined
  /** Overrides the provider's error type for this status. */
  type?: string | undefined
  /** Further members of the error object, which replace others. */
  members?: Record<string, unknown> | undefined
  /** Extra response headers, such as `retry-after`. */
  headers?: Record<string, string> | undefined
}

/** An error reply. Any code may throw it; `serve` renders it once, in the provider's format. */
export class Problem extends Error {
  readonly status: number
  readonly details: ProblemDetails

  constructor(status: number, message: string, details: ProblemDetails = {}) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.details = details
  }
}

/** A 400 with the name of the parameter at fault. */
export function badRequest(message: string, param?: string, code?: string): Problem {
  return new Problem(400, message, { param, code })
}
