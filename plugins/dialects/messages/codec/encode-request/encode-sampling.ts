import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { EncodedThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

/** Encodes the sampling settings. New models, and all models while they think, do not support them. */
export function encodeSampling(
  request: GenerateRequest,
  { known, takesSampling }: ModelFacts,
  { thinks }: EncodedThinking,
  drop: RecordLoss,
): JsonObject {
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
    temperature: atLeast(0, temperature, settingField(request, 'temperature'), drop, 1),
    top_p: isSecond ? undefined : atLeast(0, topP, settingField(request, 'top_p'), drop, 1),
    top_k: atLeast(1, topK && Math.floor(topK), request.fields.top_k ?? 'top_k', drop),
  })
}

/** A value, lowered to `most`. A value below `least` has no meaning here: it is left out and named. */
function atLeast(
  least: number,
  value: number | undefined,
  field: string,
  drop: RecordLoss,
  most = Infinity,
): number | undefined {
  if (value === undefined) return undefined
  if (value >= least) return Math.min(most, value)
  drop(field, `the Messages API accepts no value below ${least}`, `use ${least} or more`)
  return undefined
}

function withoutAny(request: GenerateRequest, drop: RecordLoss, reason: string): JsonObject {
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
