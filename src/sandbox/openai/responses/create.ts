import { storeResponse } from '../../accounts.ts'
import { textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { decide } from '../../script/decide.ts'
import { orderedProblem } from '../../steering/misbehave.ts'
import { openai } from '../provider.ts'
import { checkCreate } from './check.ts'
import { renderEvents, renderFailure } from './events.ts'
import { readHistory } from './history.ts'
import { reasoningStyleOf, renderItems } from './items.ts'
import { readAsk } from './read-ask.ts'
import { renderResponse, unfinished } from './reply.ts'

/** `POST /v1/responses`. */
export const createResponse: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses$/,
  hasBody: true,
  answer,
}

function answer({ account, body, directives }: Call): Reply {
  checkCreate(body)
  const history = readHistory(body, account)
  const decided = decide(readAsk(body, history), directives, account.id)
  const style = reasoningStyleOf(body, directives.think === true)
  const output = renderItems(decided, style, account)
  const response = renderResponse(body, decided, output, account.id)

  const streamed = body['stream'] === true
  const queued = body['background'] === true && !streamed
  const json = queued ? unfinished(response, 'queued') : response
  if (body['store'] !== false && directives.error === undefined)
    storeResponse(account, textOf(response['id']), {
      response: json,
      ...(queued ? { becomes: response } : {}),
      inputItems: history.inputItems,
      transcript: [...history.before, ...history.inputItems, ...output],
    })
  if (!streamed) return { json }

  const { message, details } = orderedProblem(directives, 500)
  const failure = [renderFailure(directives.error ?? 0, message, details.code)]
  const frames = renderEvents(response, decided.inOnePiece)
  return { json, stream: { frames, failure, framing: 'sse' } }
}
