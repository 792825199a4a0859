import type { JsonObject, ReplyContext } from '../../../../src/codec.ts'
import type { AssistantPart, TokenLogprob, ToolCallPart } from '../../../../src/generate/content.ts'
import type { Choice } from '../../../../src/generate/result.ts'
import { annotationOf } from './citations.ts'
import { asksForFunctions, clientCall, legacyCall } from './client-call.ts'
import { dropCall, dropMedia } from './drops.ts'
import { writeLogprobs } from './logprobs.ts'
import { finishReasonOf, wordlessRefusal } from './stop.ts'

/** One answer as a choice of a completion. */
export function encodeChoice(choice: Choice, index: number, context: ReplyContext): JsonObject {
  const { content, stop } = choice
  const isLegacy = asksForFunctions(context.asked.body)
  const calls = content.filter((part) => part.type === 'tool_call')
  const hasRefusal = content.some(({ type }) => type === 'refusal')
  const finishReason = finishReasonOf(stop, hasRefusal)
  for (const part of content) dropMedia(part, context)
  return {
    index,
    message: {
      role: 'assistant',
      content: contentOf(content, calls.length > 0 || hasRefusal || stop.reason === 'refused'),
      refusal: refusalOf(choice, hasRefusal),
      ...reasoningOf(content),
      ...annotationsOf(content),
      ...callsOf(calls, isLegacy, context),
    },
    logprobs: writeLogprobs(logprobsOf(content)),
    finish_reason: isLegacy && finishReason === 'tool_calls' ? 'function_call' : finishReason,
  }
}

function textsOf(content: readonly AssistantPart[], type: 'text' | 'refusal'): string[] {
  return content.flatMap((part) => (part.type === type ? [part.text] : []))
}

function contentOf(content: readonly AssistantPart[], saysOther: boolean): string | null {
  const texts = textsOf(content, 'text')
  return texts.length === 0 && saysOther ? null : texts.join('')
}

function refusalOf({ content, stop }: Choice, hasRefusal: boolean): string | null {
  if (hasRefusal) return textsOf(content, 'refusal').join('')
  return stop.reason === 'refused' ? wordlessRefusal : null
}

function reasoningOf(content: readonly AssistantPart[]): JsonObject {
  const thoughts = content.flatMap((part) =>
    part.type === 'reasoning' && part.text !== '' ? [part.text] : [],
  )
  return thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n\n') }
}

/** Positions count from the start of the whole content. */
function annotationsOf(content: readonly AssistantPart[]): JsonObject {
  const annotations: object[] = []
  let start = 0
  for (const part of content) {
    if (part.type !== 'text') continue
    const end = start + part.text.length
    for (const citation of part.citations ?? []) {
      annotations.push(annotationOf(citation, start, end))
    }
    start = end
  }
  return annotations.length === 0 ? {} : { annotations }
}

function callsOf(
  calls: readonly ToolCallPart[],
  isLegacy: boolean,
  context: ReplyContext,
): JsonObject {
  const [first, ...others] = calls
  if (!first) return {}
  if (!isLegacy) return { tool_calls: calls.map(clientCall) }
  for (const other of others) dropCall(other.name, context)
  return { function_call: legacyCall(first) }
}

function logprobsOf(content: readonly AssistantPart[]): TokenLogprob[] {
  return content.flatMap((part) => (part.type === 'text' ? (part.logprobs ?? []) : []))
}
