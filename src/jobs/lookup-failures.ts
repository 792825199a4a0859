import { type ErrorCode, GatewayError } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from './job.ts'

/** The minimum time between two log lines about an account, in milliseconds. */
const everyMs = 60_000
/** In characters, because accounts choose the text. */
const longestMessage = 500

interface LastLine {
  readonly loggedAt: number
  /** The number of failures since, which were not logged. */
  suppressed: number
}

/** Logs failed look-ups of jobs at their accounts, for each account at most once a minute. */
export function createLookupFailureLog(
  log: Pick<Log, 'warn'>,
  now: () => number,
): (job: Job, error: unknown) => void {
  const accounts = new Map<string, LastLine>()
  return ({ id, accountId: account }, error) => {
    if (GatewayError.isInstance(error) && expected.has(error.code) && !error.cause) return
    const last = accounts.get(account)
    if (last && now() - last.loggedAt < everyMs) return void last.suppressed++
    accounts.set(account, { loggedAt: now(), suppressed: 0 })
    log.warn('looking up a job at its account failed', {
      account,
      id,
      ...describe(error),
      ...(last && last.suppressed > 0 && { unseen: last.suppressed }),
    })
  }
}

/**
 * Not failures of the account, unless one is their cause: a plugin declined it, or the result must be
 * downloaded instead.
 */
const expected: ReadonlySet<ErrorCode> = new Set(['owner_unavailable', 'upstream_reply_too_large'])

function describe(error: unknown): object {
  if (!GatewayError.isInstance(error)) return { error: String(error).slice(0, longestMessage) }
  const { code, message, upstream, cause } = error
  if (code === 'owner_unavailable' && cause) return describe(cause)
  return {
    error: `${code}: ${message}`.slice(0, longestMessage),
    ...(upstream && { status: upstream.status }),
  }
}
