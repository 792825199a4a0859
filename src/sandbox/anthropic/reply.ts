import type { Account } from '../accounts.ts'
import { newId } from '../ids.ts'
import { type JsonObject, objectOf } from '../json.ts'
import type { TextResult, TokenUsage } from '../text/result.ts'

/** Renders a whole message. Its id contains the account: `msg_<account>_…`. */
export function renderMessage(body: JsonObject, answer: TextResult, account: Account): JsonObject {
  return {
    id: newId(`msg_${account.id}_`),
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content: renderBlocks(body, answer, account),
    ...renderStop(answer),
    container: null,
    diagnostics: null,
    ...(answer.usage ? { usage: renderMessageUsage(answer.usage) } : {}),
  }
}

function renderBlocks(body: JsonObject, answer: TextResult, account: Account): JsonObject[] {
  const blocks: JsonObject[] = []
  if (answer.reasoning !== undefined) {
    const omitted = objectOf(body['thinking'])['display'] === 'omitted'
    const thinking = omitted ? '' : answer.reasoning
    blocks.push({ type: 'thinking', thinking, signature: account.sign(thinking) })
  }
  if (answer.text) blocks.push({ type: 'text', text: answer.text, citations: null })
  if (answer.refusal) blocks.push({ type: 'text', text: answer.refusal, citations: null })
  for (const { name, input } of answer.calls)
    blocks.push({ type: 'tool_use', id: newId('toolu_'), name, input })
  return blocks
}

/** Renders the stop reason, for a message and for `message_delta`. */
export function renderStop({ finish, ending }: TextResult): JsonObject {
  const refused = ending.reason === 'refusal'
  return {
    stop_reason: finish ?? stopReasons[ending.reason],
    stop_sequence: ending.reason === 'stop' ? ending.sequence : null,
    stop_details: refused ? { type: 'refusal', category: null, explanation: null } : null,
  }
}

const stopReasons = {
  done: 'end_turn',
  length: 'max_tokens',
  calls: 'tool_use',
  refusal: 'refusal',
  stop: 'stop_sequence',
}

/**
 * Renders the usage of a message. A stream starts with `output` 1, and ends with the whole usage.
 */
export function renderMessageUsage({ input, output, reasoning }: TokenUsage): JsonObject {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  }
}
