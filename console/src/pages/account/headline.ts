import { counted, share } from '../../format/numbers.ts'
import type { OneAccount } from './types.ts'

/** The question that the gates answer: by what the account serves, and by the calls that are counted, not by the plan. */
export function headlineOf({ serves, standsBy, state, recentCalls }: OneAccount): string {
  if (serves === 'NOTHING') return 'Why it gets no calls'
  if (serves === 'SOME') return 'Why it gets only some calls'
  if (state === 'FULL') return 'Why it gets no more calls'
  const { calls, failures } = recentCalls
  if (calls === 0)
    return `${standsBy ? 'It stands by, and got' : 'It got'} no call in the last 5 minutes`
  const failed = failures > 0 ? `, ${share(failures, calls)} of them failed` : ''
  return `It got ${counted(calls, 'call')} in the last 5 minutes${failed}`
}
