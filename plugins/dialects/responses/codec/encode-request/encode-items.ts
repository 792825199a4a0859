import { identifyCalls, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
  ToolResult,
} from '../../../../../src/generate/content.ts'
import { urlOf } from '../../../../../src/generate/data-url.ts'
import { matchResults } from '../../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { imageType } from '../media.ts'
import { responsesId } from '../reasoning.ts'
import { encodeOutput, encodeParts } from './encode-parts.ts'

/** A call, and the id that it and its output go under. */
export interface SentCall {
  readonly id: string
  readonly kind: ToolCallPart['kind']
  readonly isAnswered: boolean
}

/** The calls of a conversation. */
export interface SentCalls {
  readonly sent: ReadonlyMap<ToolCallPart, SentCall>
  /** The call that each result is of; a result that is not among them belongs to none. */
  readonly answered: ReadonlyMap<ToolResult, SentCall>
}

/** Outputs find their calls by id alone, so no two calls of a conversation share one. */
export function callsIn(turns: readonly Turn[]): SentCalls {
  const sent = new Map<ToolCallPart, SentCall>()
  const answered = new Map<ToolResult, SentCall>()
  const results = matchResults(turns)
  const taken = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const { call, id } of identifyCalls(turn.content, taken)) {
      const result = results.get(call)
      const one = { id, kind: call.kind, isAnswered: result !== undefined }
      sent.set(call, one)
      if (result) answered.set(result, one)
    }
  }
  return { sent, answered }
}

/** Reasoning as an account that speaks this dialect gave it. Nobody else's goes out. */
export function reasoningItems(
  part: ReasoningPart,
  before: AssistantPart | undefined,
): JsonObject[] {
  const { signature } = part
  if (signature?.dialect !== responsesId) return []
  const id = signature.id ?? toolIdOf(signature.value).replace('call_', 'rs_')
  const summaryPart = part.form === 'summary' ? part : summaryBefore(part, before)
  return [
    {
      type: 'reasoning',
      id: id.startsWith('rs') ? id : `rs_${id}`,
      summary: piece('summary_text', summaryPart?.text),
      ...(part.form === 'raw' &&
        part.text !== '' && { content: piece('reasoning_text', part.text) }),
      encrypted_content: signature.value,
    },
  ]
}

/** One item may tell both what was thought and a summary of it. */
function summaryBefore(part: ReasoningPart, before: AssistantPart | undefined) {
  const isSummary = before?.type === 'reasoning' && before.form === 'summary' && !before.signature
  return part.form === 'raw' && isSummary ? before : undefined
}

function piece(type: string, text: string | undefined): JsonObject[] {
  return text ? [{ type, text }] : []
}

/** Turns as input items. */
export function encodeTurns(turns: readonly Turn[]): JsonObject[] {
  const calls = callsIn(turns)
  return turns.flatMap((turn) => encodeTurn(turn, calls))
}

function encodeTurn(turn: Turn, calls: SentCalls): JsonObject[] {
  switch (turn.role) {
    case 'system':
    case 'user':
      return message(turn.role, encodeParts(turn.content))
    case 'assistant':
      return encodeAnswer(turn.content, calls)
    case 'tool':
      return turn.results.flatMap((result) => encodeResult(result, calls))
  }
}

function message(role: string, content: readonly JsonObject[]): JsonObject[] {
  return content.length === 0 ? [] : [{ type: 'message', role, content }]
}

/** Neighbouring texts are one message; every call and every piece of reasoning is an item. */
function encodeAnswer(parts: readonly AssistantPart[], calls: SentCalls): JsonObject[] {
  const items: JsonObject[] = []
  let said: JsonObject[] = []
  const close = () => {
    items.push(...message('assistant', said))
    said = []
  }
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') said.push({ type: 'output_text', text: part.text, annotations: [] })
    else if (part.type === 'refusal') said.push({ type: 'refusal', refusal: part.text })
    else {
      close()
      items.push(...encodeOther(part, parts[index - 1], calls))
    }
  }
  close()
  return items
}

function encodeOther(
  part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>,
  before: AssistantPart | undefined,
  calls: SentCalls,
): JsonObject[] {
  switch (part.type) {
    case 'reasoning':
      return reasoningItems(part, before)
    case 'tool_call':
      return encodeCall(part, calls)
    case 'image': {
      // What an assistant says is text here, but the picture was seen.
      const url = urlOf(part.source, imageType(part.source, part.mediaType))
      return message('user', [
        { type: 'input_text', text: 'The assistant answered with this image:' },
        { type: 'input_image', image_url: url },
      ])
    }
    case 'audio':
      return []
  }
}

function encodeCall(part: ToolCallPart, calls: SentCalls): JsonObject[] {
  const { id: call_id, isAnswered } = calls.sent.get(part)!
  const call = { call_id, name: safeToolName(part.name) }
  const isFunction = part.kind === 'function'
  const item = isFunction
    ? { type: 'function_call', ...call, arguments: part.arguments || '{}' }
    : { type: 'custom_tool_call', ...call, input: part.arguments }
  if (isAnswered) return [item]
  // Every call needs an output; this is what coding agents tell of one that they gave up.
  return [item, { type: outputTypeOf(part.kind), call_id, output: 'aborted' }]
}

function outputTypeOf(kind: ToolCallPart['kind']): string {
  return kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
}

function encodeResult(result: ToolResult, calls: SentCalls): JsonObject[] {
  const call = calls.answered.get(result)
  if (!call) return encodeStray(result)
  return [{ type: outputTypeOf(call.kind), call_id: call.id, output: encodeOutput(result) }]
}

/** What belongs to no call is told by the user, since no output goes without its call. */
function encodeStray(result: ToolResult): JsonObject[] {
  const label = `The result of a tool call ${result.callId}:`
  const output = encodeOutput(result)
  const told = typeof output === 'string' ? [said(`${label}\n${output}`)] : [said(label), ...output]
  return message('user', told)
}

function said(text: string): JsonObject {
  return { type: 'input_text', text }
}
