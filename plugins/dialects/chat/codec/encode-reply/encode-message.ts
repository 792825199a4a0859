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
import { detailsOf, extraContent, hasDetails } from '../signatures.ts'
import { finishReasonOf, defaultRefusal } from '../stop.ts'

/** Encodes a tool call for a client. */
function clientCall(call: ToolCallPart): JsonObject {
  const { kind, name, signature } = call
  const id = safeToolId(call.id)
  const signed = signature && !hasDetails(signature) && { extra_content: extraContent(signature) }
  const input = inputOf(call)
  if (kind === 'custom') return { id, type: kind, custom: { name, input }, ...signed }
  return { id, type: kind, function: { name, arguments: input }, ...signed }
}

/** Encodes a tool call for a client of the deprecated `functions`. */
function legacyCall(call: ToolCallPart): JsonObject {
  return { name: call.name, arguments: inputOf(call) }
}

/** Returns the input of a call as text: never empty for a function, because clients parse it as JSON. */
function inputOf(call: ToolCallPart): string {
  return call.kind === 'function' && call.arguments === '' ? '{}' : call.arguments
}

/** Whether a request uses the deprecated `functions` and no `tools`. */
export function usesFunctions({ functions, tools }: JsonObject): boolean {
  return isGiven(functions) && !isGiven(tools)
}

/** Records an image or audio part of a reply as a loss: messages of this dialect cannot carry them. */
export function dropMedia({ type }: { readonly type: string }, context: ReplyContext): void {
  if (type !== 'image' && type !== 'audio') return
  context.drop(
    `choices.message.${type}`,
    'a message of the Chat Completions API carries only text and calls',
  )
}

/** Records a call as a loss: a client of `functions` reads only one call. */
export function dropCall(name: string, context: ReplyContext): void {
  context.drop(
    'choices.message.function_call',
    `a message carries one function call; the call of ${name} is dropped`,
  )
}

/** Encodes one choice of a complete reply. */
export function encodeChoice(choice: Choice, index: number, context: ReplyContext): JsonObject {
  const { content, stop } = choice
  const isLegacy = usesFunctions(context.rawRequest.body)
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

function contentOf(content: readonly AssistantPart[], hasOther: boolean): string | null {
  const texts = textsOf(content, 'text')
  return texts.length === 0 && hasOther ? null : texts.join('')
}

function refusalOf({ content, stop }: Choice, hasRefusal: boolean): string | null {
  if (hasRefusal) return textsOf(content, 'refusal').join('')
  return stop.reason === 'refused' ? defaultRefusal : null
}

function reasoningOf(content: readonly AssistantPart[]): JsonObject {
  const thoughts = content.flatMap((part) =>
    part.type === 'reasoning' && part.text !== '' ? [part.text] : [],
  )
  const details = detailsOf(content)
  return {
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n\n') }),
    ...(details.length > 0 && { reasoning_details: details }),
  }
}

/** Encodes citations as annotations, whose positions count from the start of the whole content. */
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
