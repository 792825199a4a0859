import type { Account } from '../contract/account.ts'
import type { AccountDialect, Upstream } from '../contract/dialect-info.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { AccountCheck } from '../contract/refusal.ts'
import { providerHas } from './adapt.ts'
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
  /** What an operator does about a credential that the account cannot be given. */
  readonly fix?: string
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
  const freeCall = freeCallOf(checked.account, checked.dialect)
  if (!freeCall) return checkCredential(checked.account, environment, note)
  const call = { ...freeCall, mostBytes: (status: number) => (status < 300 ? 0 : mostBytes) }
  const found = await callFree(checked, call, snapshot, environment)
  const { status = 0, time, reply, failure, credential } = found
  const result = reply
    ? verdictOn(reply, status, checked)
    : credential?.kind === 'refused'
      ? 'refused'
      : 'inconclusive'
  const reason = failure ?? `The account answers with the status ${status}.`
  note({
    hasAnswered: status > 0,
    ...(result !== 'accepted' && { reason }),
    ...(credential && { fix: credential.fix }),
    ...(time !== undefined && { time }),
  })
  return result
}

/** Whether the provider of an account has the free call of a dialect. */
export function hasFreeCall(account: Account, dialect: AccountDialect): boolean {
  return freeCallOf(account, dialect) !== undefined
}

function freeCallOf(
  account: Account,
  dialect: AccountDialect,
): Account['freeCall'] | Upstream['freeCall'] {
  const call = account.freeCall ?? dialect.upstream.freeCall
  return call && providerHas(account, dialect, call) ? call : undefined
}

/** Without a free call, a check shows only whether the account can be given its credential. */
async function checkCredential(
  account: Account,
  { client }: FreeCallEnvironment,
  note: (facts: CheckFacts) => void,
): Promise<AccountCheck> {
  const failure = account.authorizer && (await client.tryCredential(account))
  const isOpen = account.authorizer !== undefined && !failure
  note({
    hasAnswered: isOpen,
    reason: isOpen
      ? 'It has no free call: whether it accepts its credential, only a call of a model shows.'
      : (failure?.message ?? 'It has no free call.'),
    ...(isOpen && { fix: 'call one of its models' }),
    ...(failure && { fix: failure.fix }),
  })
  return failure?.kind === 'refused' ? 'refused' : 'inconclusive'
}

/** Only evidence about the account counts: some keys may make calls and not list models. */
function verdictOn(reply: ReplyCollector, status: number, asked: Asked): AccountCheck {
  if (status < 300) return 'accepted'
  try {
    const about = aboutOf(reply.answer(), asked)
    return about === 'credential' || about === 'credit' ? 'refused' : 'inconclusive'
  } catch {
    return 'inconclusive'
  }
}
