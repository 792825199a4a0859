import type { Account } from '../../accounts.ts'
import type { JsonObject } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { decide } from '../../text/decide.ts'
import { directedProblem } from '../../steering/failures.ts'
import type { StoredResponse } from '../../stored.ts'
import { addItems, storeConversation, assertCanAddItems } from '../conversations/store.ts'
import { openai } from '../provider.ts'
import { checkResponseRequest } from './check-request.ts'
import { renderResponseEvents, renderErrorEvent } from './events.ts'
import { type History, readHistory } from './history.ts'
import { reasoningStyleOf, renderItems } from './items.ts'
import { currentResponse, storeResponse } from './store.ts'
import { readResponsesRequest } from './read-request.ts'
import { renderResponse } from './reply.ts'
import { planWork, startWork } from './background-work.ts'

/** `POST /v1/responses`. */
export const createResponse: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses$/,
  hasBody: true,
  answer,
}

function answer({ account, body, directives }: Call): Reply {
  checkResponseRequest(body)
  const history = readHistory(body, account)
  if (history.conversation) assertCanAddItems(history.conversation, history.inputItems)
  const decided = decide(readResponsesRequest(body, history), directives, account.id)
  const style = reasoningStyleOf(body, directives.think === true)
  const output = renderItems(decided, style, account)
  const response = renderResponse(body, decided, output, account.id)

  const frames = renderResponseEvents(response, decided.inOnePiece)
  const inBackground = body['background'] === true
  const stored: StoredResponse = {
    response,
    ...(inBackground ? { work: planWork(frames, directives) } : {}),
    inputItems: [...history.before, ...history.inputItems],
    transcript: [...history.before, ...history.inputItems, ...output],
  }
  const streamed = body['stream'] === true
  if (stored.work && streamed) startWork(stored.work)
  if (directives.error === undefined) {
    if (body['store'] !== false) storeResponse(account, stored)
    addTurn(account, history, stored, output)
  }
  const json = currentResponse(stored)
  if (!streamed) return { json }

  const { message, details } = directedProblem(directives, 500)
  const failure = [renderErrorEvent(directives.error ?? 0, message, details.code)]
  return { json, stream: { frames, failure, framing: 'sse' } }
}

// A response in the background adds its items when it is finished.
function addTurn(
  account: Account,
  { conversation, inputItems }: History,
  stored: StoredResponse,
  output: JsonObject[],
): void {
  if (!conversation) return
  const items = [...inputItems, ...output]
  if (!stored.work) return void addItems(account, conversation, items)
  conversation.pending = { stored, items }
  storeConversation(account, conversation)
}
