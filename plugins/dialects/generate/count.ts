import type { Counting } from '../../../src/contract/codec.ts'
import { part, tokens } from '../../../src/lib/json/read.ts'

export const generateCounting: Counting = {
  asked: (question) =>
    part(question, 'generateContentRequest') ??
    part(question, 'generate_content_request') ??
    question,
  // Beside a system text and tools only a whole request has a place for the contents.
  question({ path, body, ...request }) {
    const place = path.replace(/:[^:]+$/, '')
    const model = place.slice(place.indexOf('models/'))
    return {
      ...request,
      path: `${place}:countTokens`,
      body: { generateContentRequest: { model: decodeURIComponent(model), ...body } },
    }
  },
  read: (answer) => tokens(answer, 'totalTokens'),
  answer: (totalTokens) => ({ totalTokens }),
}
