import type { Call } from '../../src/contract/call.ts'
import type { Outcome } from '../../src/contract/outcome.ts'

/** The evidence of an outcome about its account: it works, it fails, or neither. */
export type Evidence = 'success' | 'failure' | 'neutral'

interface EvidenceRule {
  readonly fault: Outcome['fault']
  /** Absent: any. */
  readonly outcome?: readonly Outcome['status'][]
  /** A refusal, see `Outcome.about`. Absent: any failure. */
  readonly isRefusal?: boolean
  /** The upstream's HTTP status. Absent: any, or no status. */
  readonly httpStatus?: readonly number[]
  readonly evidence: Evidence
  readonly reason: string
}

/** The first rule that matches decides. */
export const evidenceRules: readonly EvidenceRule[] = [
  {
    fault: 'none',
    outcome: ['completed', 'incomplete'],
    evidence: 'success',
    reason: 'the account answered',
  },
  {
    fault: 'none',
    evidence: 'neutral',
    reason: 'a reply that reports a failure concerns its request',
  },
  {
    fault: 'account',
    isRefusal: true,
    evidence: 'neutral',
    reason: 'account-health judges refusals by what they are about',
  },
  {
    fault: 'account',
    httpStatus: [401, 402, 403, 429],
    evidence: 'neutral',
    reason: 'refusals of a dialect that does not say what they are about',
  },
  {
    fault: 'account',
    evidence: 'failure',
    reason:
      'unreachable, too slow, cut off, unreadable, 407, 408, 421, 5xx or not a reply of the provider',
  },
  {
    fault: 'caller',
    evidence: 'neutral',
    reason: 'the request was invalid for any account',
  },
  { fault: 'client', evidence: 'neutral', reason: 'the client disconnected' },
  { fault: 'gateway', evidence: 'neutral', reason: 'the gateway has a defect' },
]

/** Returns what an outcome shows about the account. */
export function evidenceOf(outcome: Outcome): Evidence {
  for (const rule of evidenceRules) if (matches(rule, outcome)) return rule.evidence
  return 'neutral'
}

function matches(rule: EvidenceRule, { fault, status, httpStatus, about }: Outcome): boolean {
  if (rule.fault !== fault) return false
  if (rule.isRefusal && about === undefined) return false
  if (rule.outcome && !rule.outcome.includes(status)) return false
  return !rule.httpStatus || (httpStatus !== undefined && rule.httpStatus.includes(httpStatus))
}

/** Whether a call only looks up a resource. Look-ups ignore circuits. */
export function isLookup({ model, refersTo }: Call): boolean {
  return model === '' && refersTo.some(({ use }) => use === 'own')
}

/** Whether outcomes of a call are evidence, so that it may also probe an account. */
export function isEvidence(call: Call): boolean {
  return call.model !== ''
}
