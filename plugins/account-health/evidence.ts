import type { Outcome } from '../../src/contract/outcome.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'

/** Whether an outcome shows that its account works, that it fails, or neither. */
export type Evidence = 'success' | 'neutral' | Failure

/** A failure of an account, with a verb phrase about the call: `answered 500`. */
export interface Failure {
  readonly cause: string
}

/** Refusals, of a dialect that does not name their subject: they are no failures. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 402, 403, 429])

const causes: Partial<Record<ErrorCode, string>> = {
  upstream_unreachable: 'found no connection',
  upstream_timeout: 'timed out',
  upstream_stream_broken: 'broke off',
  upstream_invalid_reply: 'got an invalid reply',
}

/**
 * Returns the evidence of an outcome about its account. Only a fault of the account is a failure: errors of requests
 * and models, clients that leave and limits of the gateway are not, and refusals are judged by their subject.
 */
export function evidenceOf({ fault, status, httpStatus, about, error }: Outcome): Evidence {
  if (fault === 'none' && (status === 'completed' || status === 'incomplete')) return 'success'
  if (fault !== 'account' || about !== undefined || refusals.has(httpStatus)) return 'neutral'
  if (httpStatus !== undefined && httpStatus >= 300) return { cause: `answered ${httpStatus}` }
  return { cause: (error && causes[error.code]) ?? 'failed' }
}

/** A sentence about failed calls: `5 of 5 calls answered 500`. */
export function sentenceOf(failures: readonly Failure[], calls: number): string {
  const counts = new Map<string, number>()
  for (const { cause } of failures) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const of = `${failures.length} of ${calls} calls`
  if (counts.size === 1) return `${of} ${failures[0]!.cause}`
  return `${of} failed: ${Array.from(counts, ([cause, count]) => `${count} ${cause}`).join(', ')}`
}
