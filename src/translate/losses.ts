import { Declined } from '../contract/attempt.ts'
import type { Loss } from '../contract/call.ts'
import type { RecordLoss } from '../contract/codec.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { Routed } from '../contract/exchange.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { GenerateRequest } from '../generate/request.ts'
import {
  type Extra,
  type Feature,
  type Unsupported,
  type LossPolicy,
  noFeatures,
} from '../generate/unsupported.ts'

/** What the gateway does itself where an account cannot. */
const emulated: ReadonlySet<Feature> = new Set(['stop'])

/** Whose request would lose something, and what it may lose. */
export interface LossContext {
  readonly client: Pick<Dialect, 'id' | 'title'>
  readonly policy: LossPolicy
}

export function lossContextOf(
  { dialect, caller }: Routed,
  services: Pick<TranslationServices, 'policy'>,
): LossContext {
  return { client: dialect, policy: caller.losses ?? services.policy }
}

/**
 * What an account will not be told, of what the client should hear of. Throws `Declined` where the
 * account cannot serve the request without it, or nothing may be lost: it is the client's 400 if no
 * other account can.
 */
export function acceptLosses(
  request: GenerateRequest,
  lacks: Unsupported,
  losing: LossContext,
  settledLater: ReadonlySet<Feature> = noFeatures,
): Loss[] {
  const lost = findLosses(request, lacks, settledLater.union(emulated))
  const missing = lost.find(({ treatment }) => treatment === 'native')
  if (missing) throw declined(missing, losing, false)
  const told = lost.filter(({ treatment }) => treatment === 'warn')
  const [first] = told
  if (first && losing.policy !== 'drop') throw declined(first, losing, true)
  return told.map(({ field, reason }) => ({ field, reason }))
}

/** What happens to what only the account's own codec knows to be lost. */
export function dropUnderPolicy(losing: LossContext, drop: RecordLoss): RecordLoss {
  if (losing.policy === 'drop') return drop
  return (field, reason, way) => {
    throw declined({ field, reason, way }, losing, true)
  }
}

/** The client reads which field it is, why it cannot be had, and what it can do. */
function declined(
  { field, reason, way = 'leave it out' }: Loss,
  { client }: LossContext,
  isPolicy: boolean,
): Declined {
  const elsewhere = `use a model of an account that speaks ${titleOf(client)}`
  const ways = isPolicy
    ? `${way}, ${elsewhere}, or have the operator set \`losses\` to \`drop\``
    : `${way}, or ${elsewhere}`
  // What is done about it where it is dropped has not been done here.
  const why = isPolicy ? reason.replace(/;.*/s, '') : reason
  const sentence = `\`${field}\`: ${why.replace(/\.$/, '')}; ${ways}.`
  return new Declined('translation', sentence, { field })
}

function titleOf({ id, title }: LossContext['client']): string {
  return title === undefined ? `\`${id}\`` : `the ${title}`
}

/** What translation to an account would lose, `silent` included, in a fixed order. */
export function findLosses(
  { fields, extras }: GenerateRequest,
  lacks: Unsupported,
  emulated: ReadonlySet<Feature> = noFeatures,
): Extra[] {
  const lost: Extra[] = []
  for (const [name, lack] of Object.entries(lacks)) {
    const feature = name as Feature
    const field = fields[feature]
    if (field !== undefined && !emulated.has(feature)) lost.push({ field, ...lack })
  }
  return [...extras, ...lost]
}
