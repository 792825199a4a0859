import type { Call, Endpoint, Reply } from '../../provider.ts'
import { countTokens } from '../../script/words.ts'
import { openai } from '../provider.ts'
import { checkCount } from './check.ts'
import { readHistory } from './history.ts'
import { readAsk } from './read-ask.ts'

/** `POST /v1/responses/input_tokens`. */
export const inputTokens: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses\/input_tokens$/,
  hasBody: true,
  answer,
}

function answer({ account, body }: Call): Reply {
  checkCount(body)
  const { inputText } = readAsk(body, readHistory(body, account))
  return { json: { object: 'response.input_tokens', input_tokens: countTokens(inputText) } }
}
