import { GatewayError } from '../errors.ts'
import type { Loss } from '../exchange.ts'
import {
  type Extra,
  type Feature,
  type Lacks,
  type LossPolicy,
  lossesOf,
} from '../generate/losses.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { Declined } from '../plugin.ts'

/** What the gateway does itself where an account cannot. */
const emulated: ReadonlySet<Feature> = new Set(['stop'])
const none: ReadonlySet<Feature> = new Set()

/**
 * What an account will not be told, of what the client should hear of. Throws `Declined` where the
 * account cannot serve the request without it, a `GatewayError` where nothing must be lost.
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
  if (first && policy === 'native') throw declined(first)
  if (first && policy === 'reject') {
    throw new GatewayError('invalid_value', `This would be lost. ${sentence(first)}`, {
      param: first.field,
    })
  }
  return told.map(({ field, reason }) => ({ field, reason }))
}

function declined(extra: Extra): Declined {
  return new Declined('translation', sentence(extra), { field: extra.field })
}

function sentence({ field, reason }: Extra): string {
  return `\`${field}\`: ${reason.replace(/\.$/, '')}.`
}
