import type { Call, Endpoint, Reply } from '../provider.ts'
import { decide } from '../text/decide.ts'
import { countTokens } from '../text/words.ts'
import { directedProblem } from '../steering/failures.ts'
import { checkMessageCountRequest, checkMessagesRequest } from './check-request.ts'
import { renderMessageEvents } from './events.ts'
import { anthropic, renderAnthropicError } from './provider.ts'
import { readMessagesRequest } from './read-request.ts'
import { renderMessage } from './reply.ts'
import { readVersion } from './version.ts'

/** `POST /v1/messages` and `POST /v1/messages/count_tokens`. */
export const messages: Endpoint[] = [
  {
    provider: anthropic,
    method: 'POST',
    path: /^\/v1\/messages$/,
    hasBody: true,
    answer: createMessage,
  },
  {
    provider: anthropic,
    method: 'POST',
    path: /^\/v1\/messages\/count_tokens$/,
    hasBody: true,
    answer: countMessage,
  },
]

function createMessage({ account, headers, query, body, directives }: Call): Reply {
  checkMessagesRequest(body, readVersion(headers, query), account)
  const answer = decide(readMessagesRequest(body), directives, account.id)
  const json = renderMessage(body, answer, account)
  if (body['stream'] !== true) return { json }

  const failure = [{ name: 'error', data: renderAnthropicError(directedProblem(directives, 529)) }]
  return { json, stream: { frames: renderMessageEvents(json, answer), failure, framing: 'sse' } }
}

function countMessage({ account, headers, query, body }: Call): Reply {
  checkMessageCountRequest(body, readVersion(headers, query), account)
  return { json: { input_tokens: countTokens(readMessagesRequest(body).inputText) } }
}
