import type { AccountCounting } from '../../../src/contract/codec.ts'
import { countedFields } from '../../../src/kit/counting.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'

/** The fields of a request that a token count accepts (SDK type `ConverseTokensRequest`). */
const counted = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'] as const

/** Counts the tokens of a request with `CountTokens`. */
export const converseCounting: AccountCounting = {
  encodeCountRequest: ({ path, body }) => ({
    path: `${path.slice(0, path.lastIndexOf('/'))}/count-tokens`,
    body: { input: { converse: countedFields(body, counted) } },
  }),
  readCount: (answer) => tokensAt(answer, 'inputTokens'),
}
