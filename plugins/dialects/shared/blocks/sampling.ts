import type { RecordLoss } from '../../../../src/contract/codec.ts'
import { settingField } from '../../../../src/generate/fields.ts'
import type { GenerateRequest, Sampling } from '../../../../src/generate/request.ts'
import { defined } from '../../../../src/lib/json/object.ts'
import type { EncodedThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

/** The API, as losses name it, and where losses are recorded. */
interface Api {
  readonly api: string
  readonly drop: RecordLoss
}

/**
 * The sampling settings that the model supports: new ones of Anthropic, and all of them while they think, support none.
 */
export function samplingOf(
  request: GenerateRequest,
  { known, takesSampling }: ModelFacts,
  { thinks }: Pick<EncodedThinking, 'thinks'>,
  to: Api,
): Sampling {
  const { drop } = to
  if (!takesSampling) return withoutAny(request, drop, 'the model does not support it')
  if (thinks) return withoutAny(request, drop, 'the model does not support it while it thinks')
  const { temperature, topP, topK } = request.sampling
  // Known models support only one of the two.
  const isSecond = known && temperature !== undefined
  if (isSecond && differsFromDefault(topP)) {
    drop(
      settingField(request, 'top_p'),
      'the model does not support it together with a temperature',
    )
  }
  return defined({
    temperature: atLeast(0, temperature, settingField(request, 'temperature'), to, 1),
    topP: isSecond ? undefined : atLeast(0, topP, settingField(request, 'top_p'), to, 1),
    topK: atLeast(1, topK && Math.floor(topK), request.fields.top_k ?? 'top_k', to),
  })
}

/** A value, lowered to `most`. A value below `least` has no meaning here: it is left out and named. */
function atLeast(
  least: number,
  value: number | undefined,
  field: string,
  { api, drop }: Api,
  most = Infinity,
): number | undefined {
  if (value === undefined) return undefined
  if (value >= least) return Math.min(most, value)
  drop(field, `the ${api} accepts no value below ${least}`, `use ${least} or more`)
  return undefined
}

function withoutAny(request: GenerateRequest, drop: RecordLoss, reason: string): Sampling {
  const { temperature, topP, topK } = request.sampling
  if (differsFromDefault(temperature)) drop(settingField(request, 'temperature'), reason)
  if (differsFromDefault(topP)) drop(settingField(request, 'top_p'), reason)
  if (topK !== undefined) drop(request.fields.top_k ?? 'top_k', reason)
  return {}
}

/** Whether a value differs from 1, the default. */
function differsFromDefault(value: number | undefined): boolean {
  return value !== undefined && value !== 1
}
