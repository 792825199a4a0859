import { Declined } from '../contract/attempt.ts'
import type { Loss } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { AccountCodec, RecordLoss } from '../contract/codec.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { Routed } from '../contract/exchange.ts'
import type { TranslationServices } from '../contract/services.ts'
import { type AccountLack, featuresOf, withoutLacks } from '../generate/account-lacks.ts'
import { reasoningField } from '../generate/fields.ts'
import type { GenerateRequest } from '../generate/request.ts'
import {
  type Extra,
  type Feature,
  type FeatureSupport,
  lackOf,
  type LossPolicy,
  noFeatures,
  usualTreatment,
} from '../generate/unsupported.ts'
import { lacksOf } from '../route/route.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** The features that the gateway emulates for accounts without them. */
const emulated: ReadonlySet<Feature> = new Set(['stop'])

/** The client's dialect, for messages, and the policy for losses. */
interface LossContext {
  readonly client: Pick<Dialect, 'id' | 'title'>
  readonly policy: LossPolicy
}

/**
 * The losses of one attempt, under the policy of the caller's key, or else the gateway's. The client learns of them
 * from `Attempt.losses`.
 */
export class Losses {
  readonly #recorded: Loss[] = []
  readonly #context: LossContext

  constructor({ dialect, caller, attempt }: Routed, services: Pick<TranslationServices, 'policy'>) {
    this.#context = { client: dialect, policy: caller.losses ?? services.policy }
    attempt.losses = this.#recorded
  }

  /**
   * Records the losses of a request to an account that does not support these features. They replace the losses of an
   * earlier call. `settledLater` names features that are not judged yet. Throws `Declined` if the account cannot serve
   * the request without them, or if the policy forbids losses. If no other account can serve it, the client gets that
   * as a 400.
   */
  accept(
    request: GenerateRequest,
    support: FeatureSupport,
    settledLater: ReadonlySet<Feature> = noFeatures,
  ): void {
    const lost = findLosses(request, support, settledLater.union(emulated))
    const missing = lost.find(({ treatment }) => treatment === 'native')
    if (missing) throw declined(missing, this.#context, false)
    const reported = lost.filter(({ treatment }) => treatment === 'warn')
    const [first] = reported
    if (first && this.#context.policy !== 'drop') throw declined(first, this.#context, true)
    this.#recorded.length = 0
    for (const { field, reason } of reported) this.#recorded.push({ field, reason })
  }

  /** Records a loss of the request that only the account's codec finds. Throws `Declined` if the policy forbids it. */
  readonly dropFromRequest: RecordLoss = (field, reason, way) => {
    if (this.#context.policy !== 'drop') throw declined({ field, reason, way }, this.#context, true)
    this.dropFromReply(field, reason)
  }

  /** Records a loss of the reply, for which the policy comes too late. */
  readonly dropFromReply: RecordLoss = (field, reason) => {
    const isKnown = this.#recorded.some((loss) => loss.field === field)
    if (!isKnown) this.#recorded.push({ field, reason })
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

/** The default tier, as the dialects name it: an account without tiers has no other. */
const usualTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard'])

/** All losses of a translation, the `silent` ones included, in a fixed order. */
export function findLosses(
  { fields, extras, serviceTier = '' }: GenerateRequest,
  support: FeatureSupport,
  emulated: ReadonlySet<Feature> = noFeatures,
): Extra[] {
  const lost: Extra[] = []
  for (const feature of Object.keys(fields).toSorted() as Feature[]) {
    if (feature === 'service_tier' && usualTiers.has(serviceTier)) continue
    const field = fields[feature]
    const lack = emulated.has(feature) ? undefined : lackOf(support, feature)
    if (lack && field !== undefined) lost.push({ field, ...lack })
  }
  return [...extras, ...lost]
}

/** The features that the gateway emulates by fetching a file for the account. */
export const remoteFeatures: ReadonlySet<Feature> = new Set(['audio_url', 'file_url', 'image_url'])

/** Whether the request has URLs that an account with these gaps does not fetch itself. */
export function needsRemoteFiles(request: GenerateRequest, support: FeatureSupport): boolean {
  return [...remoteFeatures].some((feature) => request.fields[feature] && lackOf(support, feature))
}

/** The codec of the candidate's dialect for the account, which may lack features that the dialect has. */
export function codecFor(candidate: Candidate, codec: AccountCodec): AccountCodec {
  const lacks = lacksOf(candidate)
  return lacks.length === 0 ? codec : lackingCodecs(codec)(lacks)
}

/** Each call of an account has the same codec and the same list. */
const lackingCodecs = computedOnce((codec: AccountCodec) =>
  computedOnce((lacks: readonly AccountLack[]) => lackingCodec(codec, lacks)),
)

function lackingCodec(codec: AccountCodec, lacks: readonly AccountLack[]): AccountCodec {
  const { supports } = codec
  const lacked = [...featuresOf(lacks)].filter((feature) => supports.includes(feature))
  const entries = lacked.map((feature) => {
    const reason = `the account does not support it${substitutes[feature] ?? ''}`
    return [feature, { treatment: usualTreatment(feature), reason }]
  })
  return {
    ...codec,
    supports: supports.filter((feature) => !lacked.includes(feature)),
    lacks: { ...codec.lacks, ...Object.fromEntries(entries) },
    encodeRequest(request, model, drop, traits) {
      if (request.reasoning && lacks.includes('reasoning')) {
        const field = reasoningField(request)
        if (request.settings?.reasoning === field) drop(field, 'the account does not support it')
      }
      const rest = withoutLacks(request, lacks, supports)
      return codec.encodeRequest(rest, model, drop, traits && { ...traits, lacks })
    },
  }
}

/** What the gateway sends in place of a feature. */
const substitutes: Readonly<Partial<Record<string, string>>> = {
  system_midway: '; system texts are moved to the beginning',
  temperature_above_1: '; it is lowered to 1',
}
