import type { Account } from '../../accounts.ts'
import type { JsonObject } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { decide } from '../../script/decide.ts'
import { orderedProblem } from '../../steering/misbehave.ts'
import type { StoredResponse } from '../../stored.ts'
import { addItems, keepConversation, refuseToSpeak } from '../conversations/kept.ts'
import { openai } from '../provider.ts'
import { checkCreate } from './check.ts'
import { renderEvents, renderFailure } from './events.ts'
import { type History, readHistory } from './history.ts'
import { reasoningStyleOf, renderItems } from './items.ts'
import { currentResponse, keepResponse } from './kept.ts'
import { readAsk } from './read-ask.ts'
import { renderResponse } from './reply.ts'
import { planWork, startWork } from './work.ts'

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
  if (history.conversation) refuseToSpeak(history.conversation, history.inputItems)
  const decided = decide(readAsk(body, history), directives, account.id)
  const style = reasoningStyleOf(body, directives.think === true)
  const output = renderItems(decided, style, account)
  const response = renderResponse(body, decided, output, account.id)

  const frames = renderEvents(response, decided.inOnePiece)
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
    if (body['store'] !== false) keepResponse(account, stored)
    speak(account, history, stored, output)
  }
  const json = currentResponse(stored)
  if (!streamed) return { json }

  const { message, details } = orderedProblem(directives, 500)
  const failure = [renderFailure(directives.error ?? 0, message, details.code)]
  return { json, stream: { frames, failure, framing: 'sse' } }
}

function speak(
  account: Account,
  { conversation, inputItems }: History,
  stored: StoredResponse,
  output: JsonObject[],
): void {
  if (!conversation) return
  const items = [...inputItems, ...output]
  if (!stored.work) return void addItems(account, conversation, items)
  conversation.pending = { stored, items }
  keepConversation(account, conversation)
}
