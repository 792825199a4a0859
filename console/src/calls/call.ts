import { duration } from '../format/durations.ts'
import type { CallQuery } from './operations.generated.ts'

type Known = NonNullable<CallQuery['exchange']>
export type EndedCall = NonNullable<Known['ended']>
export type LiveCall = NonNullable<Known['live']>
/** The facts that calls in flight and ended calls share. */
export type CallFacts = Pick<EndedCall, keyof EndedCall & keyof LiveCall>
export type Attempt = CallFacts['attempts'][number]
export type Excluded = CallFacts['excluded'][number]

/** The call in a sentence: how it ended, by whom. */
export function sentenceOf({
  live,
  ended,
  ledger,
}: Pick<Known, 'live' | 'ended' | 'ledger'>): string {
  if (live) {
    if (typeof live.firstOutputMs === 'number')
      return `${live.accountId ?? 'The gateway'} has been replying for ${duration(live.ageMs - live.firstOutputMs)}.`
    return live.attemptCount === 0
      ? 'No account is asked yet.'
      : `It waits for ${live.accountId ?? 'an account'}.`
  }
  if (!ended) return formerSentence(ledger)
  const { accountId, attemptCount, end, status, error } = ended
  const failed = attemptCount - 1
  const others =
    failed > 0 ? `${failed === 1 ? 'One attempt' : `${failed} attempts`} failed before. ` : ''
  if (end === 'BROKEN') return `${others}The reply of ${accountId ?? 'the gateway'} broke off.`
  if (end === 'CLIENT_GONE') return `${others}The client left before the end.`
  if (attemptCount === 0)
    return status < 400
      ? 'The gateway itself answered.'
      : `No account was asked: the client got ${status} ${error ?? ''}.`
  if (status < 400) return `${others}${accountId ?? 'An account'} served it.`
  return `${others}The client got ${status} ${error ?? ''}.`
}

/** Of a call of which the ledger knows the attempts, which no process keeps. */
function formerSentence(rows: Known['ledger']): string {
  const last = rows.find(({ isLast }) => isLast)
  const only = 'Only its rows in the ledger are known.'
  if (!last) return only
  if (last.end === 'BROKEN') return `The reply of ${last.accountId} broke off. ${only}`
  if (last.end === 'CLIENT_GONE') return `The client left before the end. ${only}`
  if (typeof last.replyStatus !== 'number') return only
  return `The client got ${[last.replyStatus, last.replyError].filter(Boolean).join(' ')}. ${only}`
}

const faults = {
  ACCOUNT: 'caused by the account',
  CALLER: 'caused by the request',
  CLIENT: 'caused by the client',
  GATEWAY: 'caused by the gateway',
  NONE: '',
} as const

/** Who caused the failure of an attempt. */
export function faultText(fault: keyof typeof faults | null): string {
  return fault === null ? '' : faults[fault]
}
