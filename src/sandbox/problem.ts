/** What a provider tells beside the message of an error; each renders what it has a place for. */
export type ProblemDetails = {
  /** The provider's own short code, such as `invalid_api_key`. */
  code?: string | undefined
  /** The request parameter at fault. */
  param?: string | undefined
  /** Overrides the provider's error type for this status. */
  type?: string | undefined
  /** Extra response headers, such as `retry-after`. */
  headers?: Record<string, string> | undefined
}

/** Any answer that is an error. It is thrown anywhere and rendered once, in the provider's shape. */
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
