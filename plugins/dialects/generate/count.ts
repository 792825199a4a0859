import type { TokenCounting } from '../../../src/contract/codec.ts'
import { objectAt, tokensAt } from '../../../src/lib/json/read.ts'

export const generateCounting: TokenCounting = {
  requestOf: (question) =>
    objectAt(question, 'generateContentRequest') ??
    objectAt(question, 'generate_content_request') ??
    question,
  // Beside a system text and tools only a whole request has a place for the contents.
  encodeCountRequest({ path, body, ...request }) {
    const place = path.replace(/:[^:]+$/, '')
    const model = place.slice(place.indexOf('models/'))
    return {
      ...request,
      path: `${place}:countTokens`,
      body: { generateContentRequest: { model: decodeURIComponent(model), ...body } },
    }
  },
  readCount: (answer) => tokensAt(answer, 'totalTokens'),
  encodeCount: (totalTokens) => ({ totalTokens }),
}
