import type { Drop } from '../../../../src/codec.ts'
import { settingField } from '../../../../src/generate/fields.ts'
import { refused } from '../../../../src/codecs/refused.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import type { ModelFacts } from './models.ts'

/** What the client did not limit has all the room that there is. */
export function encodeLimit(
  request: GenerateRequest,
  { known, maxTokens }: ModelFacts,
  drop: Drop,
): number {
  const { maxOutputTokens: limit } = request
  const field = settingField(request, 'max_output_tokens')
  if (limit === undefined) return maxTokens
  if (limit < 1) throw refused('An answer must have room for one token at least.', field)
  if (!known || limit <= maxTokens) return limit
  const reason = `the model writes ${maxTokens} at most; lowered to ${maxTokens}`
  drop(field, reason, `ask for ${maxTokens} or less`)
  return maxTokens
}
