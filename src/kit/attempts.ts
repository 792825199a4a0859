import type { Attempt, Progress } from '../contract/exchange.ts'

/** An attempt as logs and headers show it. */
export interface ShownAttempt {
  readonly account: string
  /** The status of the account's reply. Absent: no reply has arrived. */
  readonly status: number | undefined
  /** The code of the error with which the attempt failed. */
  readonly error: string | undefined
  /** From the request to the account to the end of its reply, in milliseconds. Absent: it has not ended. */
  readonly ms: number | undefined
}

/** A plugin may repeat a call as often as it likes. */
const mostShown = 20

/** The attempts of an exchange that sent a request, the first first; the last twenty of them. */
export function shownAttempts({ former, attempt }: Progress): ShownAttempt[] {
  const shown: ShownAttempt[] = []
  for (const one of former.slice(1 - mostShown)) shown.push(shownAttempt(one))
  if (attempt?.startedAt !== undefined) shown.push(shownAttempt(attempt))
  return shown
}

function shownAttempt({ candidate, status, outcome, startedAt, endedAt }: Attempt): ShownAttempt {
  return {
    account: candidate.account.id,
    status,
    error: outcome?.error?.code,
    ms: durationOf(startedAt, endedAt),
  }
}

function durationOf(startedAt: number | undefined, endedAt: number | undefined) {
  if (startedAt === undefined || endedAt === undefined) return undefined
  return Math.round((endedAt - startedAt) * 100) / 100
}
