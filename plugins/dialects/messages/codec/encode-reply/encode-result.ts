import type { EncodedResult, ReplyContext } from '../../../../../src/contract/codec.ts'
import { callIdsIn } from '../../../../../src/generate/call-ids.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { answerBlocks, dropChoices } from './reply-blocks.ts'
import { writeStop } from '../stop.ts'
import { writeUsage } from '../usage.ts'

/** Encodes a complete message for a client. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const { choices, usage, serviceTier } = result
  if (choices.length > 1) dropChoices(context)
  const { content = [], stop = { reason: 'stop' } as const } = choices[0] ?? {}
  const id = context.newId('msg_')
  const contents = {
    hasCalls: content.some(isCall),
    hasRefusal: content.some(({ type }) => type === 'refusal'),
  }
  return {
    body: {
      id,
      type: 'message',
      role: 'assistant',
      model: context.model,
      content: answerBlocks(content, context),
      ...writeStop(stop, contents),
      usage: writeUsage(usage, serviceTier),
    },
    id,
    items: callIdsIn(result),
  }
}
