import type { Call, Endpoint, Reply } from '../provider.ts'
import { decide } from '../script/decide.ts'
import { countTokens } from '../script/words.ts'
import { orderedProblem } from '../steering/misbehave.ts'
import { checkCount, checkCreate } from './check.ts'
import { renderEvents } from './events.ts'
import { anthropic, renderError } from './provider.ts'
import { readAsk } from './read-ask.ts'
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
  checkCreate(body, readVersion(headers, query), account)
  const answer = decide(readAsk(body), directives, account.id)
  const json = renderMessage(body, answer, account)
  if (body['stream'] !== true) return { json }

  const failure = [{ name: 'error', data: renderError(orderedProblem(directives, 529)) }]
  return { json, stream: { frames: renderEvents(json, answer), failure, framing: 'sse' } }
}

function countMessage({ account, headers, query, body }: Call): Reply {
  checkCount(body, readVersion(headers, query), account)
  return { json: { input_tokens: countTokens(readAsk(body).inputText) } }
}
