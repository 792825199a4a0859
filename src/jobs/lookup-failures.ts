import { type ErrorCode, GatewayError } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from './job.ts'

/** How often an account is told of, in milliseconds. */
const everyMs = 60_000
/** Accounts may say anything. Characters. */
const longestMessage = 500

interface Unseen {
  readonly toldAt: number
  /** What has not been told since. */
  more: number
}

/** Tells operators of accounts that do not tell how their jobs stand, each at most once a minute. */
export function createLookupFailureLog(
  log: Pick<Log, 'warn'>,
  now: () => number,
): (job: Job, error: unknown) => void {
  const accounts = new Map<string, Unseen>()
  return ({ id, accountId: account }, error) => {
    if (GatewayError.isInstance(error) && expected.has(error.code)) return
    const last = accounts.get(account)
    if (last && now() - last.toldAt < everyMs) return void last.more++
    accounts.set(account, { toldAt: now(), more: 0 })
    log.warn('an account does not tell of its jobs', {
      account,
      id,
      ...describe(error),
      ...(last && last.more > 0 && { unseen: last.more }),
    })
  }
}

/** A plugin had nobody asked, or what is larger than is read here is to be downloaded. */
const expected: ReadonlySet<ErrorCode> = new Set(['owner_unavailable', 'upstream_reply_too_large'])

function describe(error: unknown) {
  if (!GatewayError.isInstance(error)) return { error: String(error).slice(0, longestMessage) }
  const { code, message, upstream } = error
  return {
    error: `${code}: ${message}`.slice(0, longestMessage),
    ...(upstream && { status: upstream.status }),
  }
}
