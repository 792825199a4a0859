import { append } from '../../../../../src/lib/append.ts'
import { identifyCalls, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
  ToolResult,
} from '../../../../../src/generate/content.ts'
import { type MatchedAnswers, matchResults } from '../../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { responsesId } from '../reasoning.ts'
import { encodeImage, encodeOutput, encodeParts } from './encode-parts.ts'

/** The output of a call without one, which accounts require. Coding agents send it for an aborted call. */
export const noOutput = 'aborted'

/** A call as sent to the account, with the id shared by the call and its output. */
interface SentCall {
  readonly id: string
  readonly kind: ToolCallPart['kind']
  readonly isAnswered: boolean
}

/** The calls of a conversation and the results that answer them. */
interface SentCalls {
  /** Whether other calls and results may be elsewhere. */
  readonly isPart: boolean
  readonly sent: ReadonlyMap<ToolCallPart, SentCall>
  /** The call of each result; a result without an entry has no call. */
  readonly answered: ReadonlyMap<ToolResult, SentCall>
}

/** Assigns each call a unique id, because outputs refer to calls by id only. */
function callsIn(turns: readonly Turn[], results: MatchedAnswers): Omit<SentCalls, 'isPart'> {
  const sent = new Map<ToolCallPart, SentCall>()
  const answered = new Map<ToolResult, SentCall>()
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

/** Encodes reasoning that an account of this dialect signed; other reasoning is left out. */
function reasoningItems(part: ReasoningPart, before: AssistantPart | undefined): JsonObject[] {
  const { signature } = part
  if (signature?.dialect !== responsesId) return []
  const id = signature.id ?? toolIdOf(signature.value).replace('call_', 'rs_')
  const summaryPart = part.form === 'summary' ? part : summaryBefore(part, before)
  return [
    {
      type: 'reasoning',
      id: id.startsWith('rs') ? id : `rs_${id}`,
      summary: textParts('summary_text', summaryPart?.text),
      ...(part.form === 'raw' &&
        part.text !== '' && { content: textParts('reasoning_text', part.text) }),
      encrypted_content: signature.value,
    },
  ]
}

/** Returns the summary part that belongs to the same item as a raw reasoning part. */
function summaryBefore(part: ReasoningPart, before: AssistantPart | undefined) {
  const isSummary = before?.type === 'reasoning' && before.form === 'summary' && !before.signature
  return part.form === 'raw' && isSummary ? before : undefined
}

function textParts(type: string, text: string | undefined): JsonObject[] {
  return text ? [{ type, text }] : []
}

/** Encodes turns as input items. A call that `results` does not answer gets the output `noOutput`. */
export function encodeTurns(turns: readonly Turn[], results: MatchedAnswers): JsonObject[] {
  return encodeAll(turns, results, false)
}

/**
 * Encodes the turns of a part of a conversation as input items. The calls of its results, and the results of its
 * calls, may be in other parts.
 */
export function encodePart(turns: readonly Turn[]): JsonObject[] {
  return encodeAll(turns, matchResults(turns), true)
}

function encodeAll(turns: readonly Turn[], results: MatchedAnswers, isPart: boolean): JsonObject[] {
  const calls = { ...callsIn(turns, results), isPart }
  return turns.flatMap((turn) => encodeTurn(turn, calls))
}

function encodeTurn(turn: Turn, calls: SentCalls): JsonObject[] {
  switch (turn.role) {
    case 'system':
    case 'user':
      return message(turn.role, encodeParts(turn.content))
    case 'assistant':
      return encodeAssistant(turn.content, calls)
    case 'tool':
      return turn.results.flatMap((result) => encodeResult(result, calls))
  }
}

function message(role: string, content: readonly JsonObject[]): JsonObject[] {
  return content.length === 0 ? [] : [{ type: 'message', role, content }]
}

/** Joins neighbouring texts to one message; every call and reasoning part becomes an item. */
function encodeAssistant(parts: readonly AssistantPart[], calls: SentCalls): JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const close = () => {
    append(items, message('assistant', content))
    content = []
  }
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text')
      content.push({ type: 'output_text', text: part.text, annotations: [] })
    else if (part.type === 'refusal') content.push({ type: 'refusal', refusal: part.text })
    else {
      close()
      append(items, encodeItem(part, parts[index - 1], calls))
    }
  }
  close()
  return items
}

function encodeItem(
  part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>,
  before: AssistantPart | undefined,
  calls: SentCalls,
): JsonObject[] {
  switch (part.type) {
    case 'reasoning':
      return reasoningItems(part, before)
    case 'tool_call':
      return encodeCall(part, calls)
    case 'image':
      // Assistant messages cannot contain images here, so the image becomes user input.
      return message('user', [
        { type: 'input_text', text: 'The assistant answered with this image:' },
        encodeImage(part),
      ])
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
  if (isAnswered || calls.isPart) return [item]
  return [item, { type: outputTypeOf(part.kind), call_id, output: noOutput }]
}

function outputTypeOf(kind: ToolCallPart['kind']): string {
  return kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
}

function encodeResult(result: ToolResult, calls: SentCalls): JsonObject[] {
  const call = calls.answered.get(result)
  if (!call) return calls.isPart ? [outputOf(result)] : encodeStray(result)
  return [{ type: outputTypeOf(call.kind), call_id: call.id, output: encodeOutput(result) }]
}

/** The dialect of the client says no more of the kind of a call than its output does. */
function outputOf(result: ToolResult): JsonObject {
  return { type: outputTypeOf('function'), call_id: result.callId, output: encodeOutput(result) }
}

/** Encodes a result without a call as user text, because an output requires its call. */
function encodeStray(result: ToolResult): JsonObject[] {
  const label = `The result of a tool call ${result.callId}:`
  const output = encodeOutput(result)
  const content =
    typeof output === 'string' ? [inputText(`${label}\n${output}`)] : [inputText(label), ...output]
  return message('user', content)
}

function inputText(text: string): JsonObject {
  return { type: 'input_text', text }
}
