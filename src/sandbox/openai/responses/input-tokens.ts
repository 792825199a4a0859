import type { Call, Endpoint, Reply } from '../../provider.ts'
import { countTokens } from '../../text/words.ts'
import { openai } from '../provider.ts'
import { checkInputTokensRequest } from './check-request.ts'
import { readHistory } from './history.ts'
import { readResponsesRequest } from './read-request.ts'

/** `POST /v1/responses/input_tokens`. */
export const inputTokens: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses\/input_tokens$/,
  hasBody: true,
  answer,
}

function answer({ account, body }: Call): Reply {
  checkInputTokensRequest(body)
  const { inputText } = readResponsesRequest(body, readHistory(body, account))
  return { json: { object: 'response.input_tokens', input_tokens: countTokens(inputText) } }
}
