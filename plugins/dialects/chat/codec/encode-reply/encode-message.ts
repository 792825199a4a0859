import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  TokenLogprob,
  ToolCallPart,
} from '../../../../../src/generate/content.ts'
import type { Choice } from '../../../../../src/generate/result.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { annotationOf } from '../citations.ts'
import { writeLogprobs } from '../logprobs.ts'
import { extraContent } from '../signatures.ts'
import { finishReasonOf, wordlessRefusal } from '../stop.ts'

/** A call as clients read it. */
export function clientCall(call: ToolCallPart): JsonObject {
  const { kind, name, signature } = call
  const id = safeToolId(call.id)
  const signed = signature && { extra_content: extraContent(signature) }
  const said = inputOf(call)
  if (kind === 'custom') return { id, type: kind, custom: { name, input: said }, ...signed }
  return { id, type: kind, function: { name, arguments: said }, ...signed }
}

/** A call as clients of `functions` read it. */
export function legacyCall(call: ToolCallPart): JsonObject {
  return { name: call.name, arguments: inputOf(call) }
}

/** Clients parse the arguments of a function, of one that takes none too. */
function inputOf(call: ToolCallPart): string {
  return call.kind === 'function' && call.arguments === '' ? '{}' : call.arguments
}

/** Whether a client knows calls only as they were before there were tools. */
export function asksForFunctions({ functions, tools }: JsonObject): boolean {
  return isGiven(functions) && !isGiven(tools)
}

/** Tells of what a reply shows or plays: no message of this dialect can hold it. */
export function dropMedia({ type }: { readonly type: string }, context: ReplyContext): void {
  if (type !== 'image' && type !== 'audio') return
  context.drop(
    `choices.message.${type}`,
    'a message of the Chat Completions API holds only text and calls',
  )
}

/** Tells of a call beside the one that a client of `functions` can read. */
export function dropCall(name: string, context: ReplyContext): void {
  context.drop('choices.message.function_call', `there is room for one call, not for ${name}`)
}

/** One answer as a choice of a completion. */
export function encodeChoice(choice: Choice, index: number, context: ReplyContext): JsonObject {
  const { content, stop } = choice
  const isLegacy = asksForFunctions(context.rawRequest.body)
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
