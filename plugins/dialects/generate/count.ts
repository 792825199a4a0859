import type { TokenCounting } from '../../../src/contract/codec.ts'
import { objectAt, tokensAt } from '../../../src/lib/json/read.ts'

/** Counts the tokens of a request with `:countTokens`. */
export const generateCounting: TokenCounting = {
  requestOf: (question) =>
    objectAt(question, 'generateContentRequest') ??
    objectAt(question, 'generate_content_request') ??
    question,
  // Only a complete request can have a system instruction and tools next to the contents.
  encodeCountRequest({ path, body, ...request }) {
    const modelPath = path.replace(/:[^:]+$/, '')
    const model = modelPath.slice(modelPath.indexOf('models/'))
    return {
      ...request,
      path: `${modelPath}:countTokens`,
      body: { generateContentRequest: { model: decodeURIComponent(model), ...body } },
    }
  },
  readCount: (answer) => tokensAt(answer, 'totalTokens'),
  encodeCount: (totalTokens) => ({ totalTokens }),
}
