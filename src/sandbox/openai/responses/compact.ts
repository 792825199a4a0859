import type { Account } from '../../accounts.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { countTokens, firstTokens } from '../../text/words.ts'
import { openai } from '../provider.ts'
import { checkCompactRequest } from './check-compact.ts'
import { type History, readHistory } from './history.ts'
import { itemText, readResponsesRequest } from './read-request.ts'
import { renderResponseUsage } from './reply.ts'

/** `POST /v1/responses/compact`. Nothing of it is stored; the client keeps what it gets. */
export const compactResponse: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses\/compact$/,
  hasBody: true,
  answer,
}

/** How many words of what was not said by a user are remembered. */
const maxWords = 20

function answer({ account, body }: Call): Reply {
  checkCompactRequest(body)
  const history = readHistory(body, account)
  const { inputText } = readResponsesRequest(body, history)
  const memory = memoryOf(history)
  const usage = { input: countTokens(inputText), output: countTokens(memory), reasoning: 0 }
  return {
    json: {
      id: newId(`resp_${account.id}_`),
      object: 'response.compaction',
      created_at: nowInSeconds(),
      output: [...messagesOfUser(history), renderCompaction(memory, account)],
      usage: renderResponseUsage(usage),
    },
  }
}

function renderCompaction(memory: string, account: Account): JsonObject {
  return { id: newId('cmp_'), type: 'compaction', encrypted_content: account.seal(memory) }
}

function messagesOfUser({ before, inputItems }: History): JsonObject[] {
  return [...before, ...inputItems].filter(({ role }) => role === 'user').map(asOutput)
}

function asOutput(message: JsonObject): JsonObject {
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  return { ...message, status: 'completed', content: parts }
}

function memoryOf({ before, inputItems, remembered }: History): string {
  const others = [...before, ...inputItems].filter(({ role }) => role !== 'user')
  const said = others.map((item) => itemText(item) || textOf(item['arguments']))
  return firstTokens([...remembered, ...said].join(' '), maxWords)
}
