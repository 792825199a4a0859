import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
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
  return {
    ...(temperature !== undefined && { temperature: between0And1(temperature) }),
    ...(topP !== undefined && !isSecond && { top_p: between0And1(topP) }),
    ...(topK !== undefined && { top_k: Math.max(1, Math.round(topK)) }),
  }
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

function between0And1(value: number): number {
  return Math.min(1, Math.max(0, value))
}
