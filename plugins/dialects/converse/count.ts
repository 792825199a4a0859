import type { AccountCounting } from '../../../src/contract/codec.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { countedFields } from '../../../src/kit/counting.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'
import { modelOfProfile } from '../shared/bedrock-models.ts'

/** The fields of a request that a token count accepts (SDK type `ConverseTokensRequest`). */
const counted = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'] as const

/** Counts the tokens of a request with `CountTokens`. */
export const converseCounting: AccountCounting = {
  encodeCountRequest: ({ path, body }) => ({
    path: countPath(path),
    body: { input: { converse: countedFields(body, counted) } },
  }),
  readCount: (answer) => tokensAt(answer, 'inputTokens'),
}

/** The path with the model of an inference profile in place of the profile. */
function countPath(path: string): string {
  const [, , id = ''] = path.split('/')
  return fillPath('/model/{model/}/count-tokens', { model: modelOfProfile(decodeURIComponent(id)) })
}
