import type { Snapshot } from '../contract/candidate.ts'
import type { AccountCheck } from '../contract/refusal.ts'
import { aboutOf } from './failure.ts'
import { type Asked, type FreeCallEnvironment, callFree } from './free-call.ts'
import type { ReplyCollector } from './reply-collector.ts'

/** The most bytes of an error that are read. */
const mostBytes = 64 * 1024

/** What a check learns beside its result. */
export interface CheckFacts {
  /**
   * Why the account was not accepted, in words for operators: nothing in it is the account's own. Absent:
   * it was.
   */
  readonly reason?: string
  /** Whether the account has answered at all. */
  readonly hasAnswered: boolean
  /** The account's clock, in milliseconds since 1970, to the second. Absent: its answer has no valid date. */
  readonly time?: number
}

/**
 * Checks an account by the free call of its dialect. One that the snapshot does not have is gone. Never rejects.
 * `note` gets what the check learns, before it ends.
 */
export async function checkAccount(
  checked: Asked,
  snapshot: Snapshot,
  environment: FreeCallEnvironment,
  note: (facts: CheckFacts) => void = () => {},
): Promise<AccountCheck> {
  if (!snapshot.accounts.includes(checked.account)) return 'gone'
  const { freeCall } = checked.dialect.upstream ?? {}
  if (!freeCall) return 'inconclusive'
  const call = { ...freeCall, mostBytes: (status: number) => (status < 300 ? 0 : mostBytes) }
  const { status = 0, time, reply, failure } = await callFree(checked, call, snapshot, environment)
  const result = reply ? verdictOn(reply, status, checked) : 'inconclusive'
  const reason = failure ?? `The account answers with the status ${status}.`
  note({
    hasAnswered: status > 0,
    ...(result !== 'accepted' && { reason }),
    ...(time !== undefined && { time }),
  })
  return result
}

/** Only evidence about the account counts: some keys may make calls and not list models. */
function verdictOn(reply: ReplyCollector, status: number, { dialect }: Asked): AccountCheck {
  if (status < 300) return 'accepted'
  try {
    const about = aboutOf(reply.answer(), dialect)
    return about === 'credential' || about === 'credit' ? 'refused' : 'inconclusive'
  } catch {
    return 'inconclusive'
  }
}
