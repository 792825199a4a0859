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
  type FeatureSupport,
  type LossPolicy,
  lackOf,
  noFeatures,
} from '../generate/unsupported.ts'

/** The features that the gateway emulates for accounts without them. */
const emulated: ReadonlySet<Feature> = new Set(['stop'])

/** The client's dialect, for messages, and the policy for losses. */
interface LossContext {
  readonly client: Pick<Dialect, 'id' | 'title'>
  readonly policy: LossPolicy
}

/** The context of an exchange: the policy of the caller's key goes before the gateway's. */
export function lossContextOf(
  { dialect, caller }: Routed,
  services: Pick<TranslationServices, 'policy'>,
): LossContext {
  return { client: dialect, policy: caller.losses ?? services.policy }
}

/**
 * The losses to report to the client, for a request to an account that does not support these features.
 * `settledLater` names features that are not judged yet. Throws `Declined` if the account cannot serve
 * the request without them, or if the policy forbids losses. If no other account can serve it, the
 * client gets that as a 400.
 */
export function acceptLosses(
  request: GenerateRequest,
  support: FeatureSupport,
  context: LossContext,
  settledLater: ReadonlySet<Feature> = noFeatures,
): Loss[] {
  const lost = findLosses(request, support, settledLater.union(emulated))
  const missing = lost.find(({ treatment }) => treatment === 'native')
  if (missing) throw declined(missing, context, false)
  const reported = lost.filter(({ treatment }) => treatment === 'warn')
  const [first] = reported
  if (first && context.policy !== 'drop') throw declined(first, context, true)
  return reported.map(({ field, reason }) => ({ field, reason }))
}

/**
 * Applies the policy to losses that only the codec of the account finds: calls `drop`, or throws
 * `Declined` if the policy forbids losses.
 */
export function dropUnderPolicy(context: LossContext, drop: RecordLoss): RecordLoss {
  if (context.policy === 'drop') return drop
  return (field, reason, way) => {
    throw declined({ field, reason, way }, context, true)
  }
}

/** Names the field, the reason and the remedies for the client. */
function declined(
  { field, reason, way = 'leave it out' }: Loss,
  { client }: LossContext,
  isPolicy: boolean,
): Declined {
  const elsewhere = `use a model of an account that speaks ${titleOf(client)}`
  const ways = isPolicy
    ? `${way}, ${elsewhere}, or have the operator set \`losses\` to \`drop\``
    : `${way}, or ${elsewhere}`
  // After the semicolon, a reason describes the change that a drop makes; nothing was dropped here.
  const why = isPolicy ? reason.replace(/;.*/s, '') : reason
  const sentence = `\`${field}\`: ${why.replace(/\.$/, '')}; ${ways}.`
  return new Declined('translation', sentence, { field })
}

function titleOf({ id, title }: LossContext['client']): string {
  return title === undefined ? `\`${id}\`` : `the ${title}`
}

/** All losses of a translation, the `silent` ones included, in a fixed order. */
export function findLosses(
  { fields, extras }: GenerateRequest,
  support: FeatureSupport,
  emulated: ReadonlySet<Feature> = noFeatures,
): Extra[] {
  const lost: Extra[] = []
  for (const feature of Object.keys(fields).toSorted() as Feature[]) {
    const field = fields[feature]
    const lack = emulated.has(feature) ? undefined : lackOf(support, feature)
    if (lack && field !== undefined) lost.push({ field, ...lack })
  }
  return [...extras, ...lost]
}
