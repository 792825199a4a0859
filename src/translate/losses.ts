import type { Drop } from '../codec.ts'
import type { Loss } from '../exchange.ts'
import { type Feature, type Lacks, type LossPolicy, lossesOf } from '../generate/losses.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { Declined } from '../plugin.ts'

/** What the gateway does itself where an account cannot. */
const emulated: ReadonlySet<Feature> = new Set(['stop'])
const none: ReadonlySet<Feature> = new Set()

/**
 * What an account will not be told, of what the client should hear of. Throws `Declined` where the
 * account cannot serve the request without it, or nothing may be lost: it is the client's 400 if no
 * other account can.
 */
export function acceptLosses(
  request: GenerateRequest,
  lacks: Lacks,
  policy: LossPolicy,
  settledLater: ReadonlySet<Feature> = none,
): Loss[] {
  const lost = lossesOf(request, lacks, settledLater.union(emulated))
  const missing = lost.find(({ treatment }) => treatment === 'native')
  if (missing) throw declined(missing)
  const told = lost.filter(({ treatment }) => treatment === 'warn')
  const [first] = told
  if (first && policy !== 'drop') throw declined(first)
  return told.map(({ field, reason }) => ({ field, reason }))
}

/** What happens to what only the account's own codec knows to be lost. */
export function dropUnder(policy: LossPolicy, drop: Drop): Drop {
  if (policy === 'drop') return drop
  return (field, reason) => {
    throw declined({ field, reason })
  }
}

function declined({ field, reason }: Loss): Declined {
  const sentence = `\`${field}\`: ${reason.replace(/\.$/, '')}.`
  return new Declined('translation', sentence, { field })
}
