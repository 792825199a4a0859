import type { Drop } from '../../../../src/codec.ts'
import { settingField } from '../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'

/** Accounts refuse a limit below it. */
const leastTokens = 16

/** How long an answer may be. Clients of other dialects may ask for a single token. */
export function encodeLimit(request: GenerateRequest, drop: Drop): number | undefined {
  const { maxOutputTokens: limit } = request
  if (limit === undefined || limit >= leastTokens) return limit
  const field = settingField(request, 'max_output_tokens')
  const reason = `the Responses API takes ${leastTokens} at least; raised to that`
  drop(field, reason, `ask for ${leastTokens} or more`)
  return leastTokens
}
