import type { Call } from '../../src/contract/call.ts'
import type { Outcome } from '../../src/contract/outcome.ts'

/** What an attempt's end says about its account: that it works, that it does not, or nothing. */
export type Evidence = 'success' | 'failure' | 'neutral'

interface Row {
  readonly fault: Outcome['fault']
  /** Absent: any. */
  readonly outcome?: readonly Outcome['status'][]
  /** The upstream's HTTP status. Absent: any, and none at all. */
  readonly httpStatus?: readonly number[]
  readonly says: Evidence
  readonly because: string
}

/** The first row that fits decides. */
export const whatCounts: readonly Row[] = [
  {
    fault: 'none',
    outcome: ['completed', 'incomplete'],
    says: 'success',
    because: 'the account has answered',
  },
  {
    fault: 'none',
    says: 'neutral',
    because: 'a reply that tells of its own failure is about its request',
  },
  {
    fault: 'account',
    httpStatus: [429],
    says: 'neutral',
    because: 'a limit is a cool-down of its own (account-health)',
  },
  {
    fault: 'account',
    httpStatus: [401, 402, 403],
    says: 'neutral',
    because: 'a refused credential takes the account out until it changes (account-health)',
  },
  {
    fault: 'account',
    says: 'failure',
    because: 'unreachable, too slow, cut off, unreadable, 408, 5xx or an answer from elsewhere',
  },
  {
    fault: 'caller',
    says: 'neutral',
    because: 'the request was wrong, wherever it went',
  },
  { fault: 'client', says: 'neutral', because: 'nobody waited for the end' },
  { fault: 'gateway', says: 'neutral', because: 'the defect is ours' },
]

/** What an attempt's end says about its account. */
export function evidenceOf(outcome: Outcome): Evidence {
  for (const row of whatCounts) if (fits(row, outcome)) return row.says
  return 'neutral'
}

function fits(row: Row, { fault, status, httpStatus }: Outcome): boolean {
  if (row.fault !== fault) return false
  if (row.outcome && !row.outcome.includes(status)) return false
  return !row.httpStatus || (httpStatus !== undefined && row.httpStatus.includes(httpStatus))
}

/** Looking for what an account has, or has not, says nothing about how it works. */
export function isLookUp({ model, refersTo }: Call): boolean {
  return model === '' && refersTo.some(({ use }) => use === 'own')
}

/** Whether a call's outcomes count, and whether it may try an account whose circuit was open. */
export function counts(call: Call): boolean {
  return call.model !== ''
}
