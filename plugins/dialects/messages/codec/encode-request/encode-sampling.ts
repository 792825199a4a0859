import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { EncodedThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

/** How words are chosen. New models choose themselves, and so does every one that thinks. */
export function encodeSampling(
  request: GenerateRequest,
  { known, takesSampling }: ModelFacts,
  { thinks }: EncodedThinking,
  drop: RecordLoss,
): JsonObject {
  if (!takesSampling) return withoutAny(request, drop, 'the model does not take it')
  if (thinks) return withoutAny(request, drop, 'the model does not take it while it thinks')
  const { temperature, topP, topK } = request.sampling
  // Known models take one of both.
  const isSecond = known && temperature !== undefined
  if (isSecond && changes(topP)) {
    drop(settingField(request, 'top_p'), 'the model does not take it beside a temperature')
  }
  return {
    ...(temperature !== undefined && { temperature: between0And1(temperature) }),
    ...(topP !== undefined && !isSecond && { top_p: between0And1(topP) }),
    ...(topK !== undefined && { top_k: Math.max(1, Math.round(topK)) }),
  }
}

function withoutAny(request: GenerateRequest, drop: RecordLoss, reason: string): JsonObject {
  const { temperature, topP, topK } = request.sampling
  if (changes(temperature)) drop(settingField(request, 'temperature'), reason)
  if (changes(topP)) drop(settingField(request, 'top_p'), reason)
  if (topK !== undefined) drop(request.fields.top_k ?? 'top_k', reason)
  return {}
}

/** 1 is what it is without a word. */
function changes(value: number | undefined): boolean {
  return value !== undefined && value !== 1
}

function between0And1(value: number): number {
  return Math.min(1, Math.max(0, value))
}
