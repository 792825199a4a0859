import type { Account } from '../accounts.ts'
import { newId } from '../ids.ts'
import { type JsonObject, listOf } from '../json.ts'
import type { TextResult } from '../text/result.ts'

/** Renders a whole reply of Converse. It has no id and no model. */
export function renderConverse(body: JsonObject, answer: TextResult, account: Account): JsonObject {
  return {
    output: { message: { role: 'assistant', content: renderBlocks(answer, account) } },
    ...renderStop(body, answer),
    ...renderMetadata(answer),
  }
}

function renderBlocks(answer: TextResult, account: Account): JsonObject[] {
  const blocks: JsonObject[] = []
  if (answer.reasoning !== undefined) {
    const reasoningText = { text: answer.reasoning, signature: account.sign(answer.reasoning) }
    blocks.push({ reasoningContent: { reasoningText } })
  }
  if (answer.text) blocks.push({ text: answer.text })
  if (answer.refusal) blocks.push({ text: answer.refusal })
  for (const { name, input } of answer.calls)
    blocks.push({ toolUse: { toolUseId: newId('tooluse_'), name, input } })
  return blocks
}

/** Renders the members of `messageStop`, which a whole reply has too. */
export function renderStop(body: JsonObject, { finish, ending }: TextResult): JsonObject {
  const asksFor = listOf(body['additionalModelResponseFieldPaths'])
  const names = ending.reason === 'stop' && asksFor.includes('/stop_sequence')
  return {
    stopReason: finish ?? stopReasons[ending.reason],
    ...(names && { additionalModelResponseFields: { stop_sequence: ending.sequence } }),
  }
}

// A guardrail answers in place of the model.
const stopReasons = {
  done: 'end_turn',
  length: 'max_tokens',
  calls: 'tool_use',
  refusal: 'guardrail_intervened',
  stop: 'stop_sequence',
}

/** Renders the members of `metadata`, which a whole reply has too. */
export function renderMetadata({ usage }: TextResult): JsonObject {
  return {
    ...(usage && {
      usage: {
        inputTokens: usage.input,
        outputTokens: usage.output,
        totalTokens: usage.input + usage.output,
        cacheReadInputTokens: 0,
        cacheWriteInputTokens: 0,
      },
    }),
    metrics: { latencyMs: 1 },
  }
}
