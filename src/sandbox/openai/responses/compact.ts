import type { Account } from '../../accounts.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { countTokens, firstTokens } from '../../text/words.ts'
import { openai } from '../provider.ts'
import { type History, readHistory } from './history.ts'
import { itemText, readResponsesRequest } from './read-request.ts'
import { renderResponseUsage } from './reply.ts'
import { ruleFault } from '../../fault.ts'
import { choice, object, string, stringOr } from '../../shape.ts'
import { modelName } from '../fields.ts'
import { inputItems } from './item-shapes.ts'

/** `POST /v1/responses/compact`. The sandbox stores nothing of it. */
export const compactResponse: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/responses\/compact$/,
  hasBody: true,
  answer,
}

/** The compaction contains this many words of the items that are no user messages. */
const maxWords = 20

function answer({ account, body }: Call): Reply {
  checkCompactRequest(body)
  const history = readHistory(body, account)
  const { inputText } = readResponsesRequest(body, history)
  const summary = summaryOf(history)
  const usage = { input: countTokens(inputText), output: countTokens(summary), reasoning: 0 }
  return {
    json: {
      id: newId(`resp_${account.id}_`),
      object: 'response.compaction',
      created_at: nowInSeconds(),
      output: [...messagesOfUser(history), renderCompaction(summary, account)],
      usage: renderResponseUsage(usage),
    },
  }
}

function renderCompaction(summary: string, account: Account): JsonObject {
  return { id: newId('cmp_'), type: 'compaction', encrypted_content: account.seal(summary) }
}

function messagesOfUser({ before, inputItems }: History): JsonObject[] {
  return [...before, ...inputItems].filter(({ role }) => role === 'user')
}

function summaryOf({ before, inputItems, summaries }: History): string {
  const others = [...before, ...inputItems].filter(({ role }) => role !== 'user')
  const texts = others.map((item) => itemText(item) || textOf(item['arguments']))
  return firstTokens([...summaries, ...texts].join(' '), maxWords)
}

const compactRequest = object({
  required: { model: modelName },
  optional: {
    image: object({ open: true }),
    input: stringOr(inputItems),
    instructions: string(),
    previous_response_id: string({ min: 1 }),
    prompt_cache_key: string(),
    prompt_cache_options: object({ open: true }),
    prompt_cache_retention: choice('in_memory', 'in-memory', '24h'),
    service_tier: choice('auto', 'default', 'fast', 'flex', 'priority'),
  },
})

/** Throws unless OpenAI accepts this body for compacting a conversation. */
function checkCompactRequest(body: JsonObject): void {
  compactRequest(body, [])
  if ((body['input'] ?? body['previous_response_id'] ?? undefined) === undefined)
    throw ruleFault(['input'], "Missing required parameter: 'input'.", 'missing_required_parameter')
}
