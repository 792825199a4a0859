import { wrong } from '../../../../../src/kit/checks.ts'
import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest, Turn } from '../../../../../src/generate/request.ts'
import { readMessages } from './decode-messages.ts'
import { readSettings } from './decode-settings.ts'
import { readToolChoice, readTools } from './decode-tools.ts'
import { findExtras } from './members.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'

/** Decodes a client's request of the Chat Completions API. Throws `invalid_value` and its kin. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const notes = new Notes()
  const turns = readMessages(body.messages, notes)
  notePrefill(turns, notes)
  const tools = readTools(body, notes)
  const toolChoice = readToolChoice(body, notes)
  const parallelToolCalls = readParallel(body, notes)
  const settings = readSettings(body, notes)
  findExtras(body, notes)
  return {
    stream,
    turns,
    tools,
    ...(toolChoice && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    ...settings,
    fields: notes.fields,
    settings: notes.settings,
    extras: notes.extras,
  }
}

/** An assistant message at the end is a prefill that the model continues, unless it has tool calls. */
function notePrefill(turns: readonly Turn[], notes: Notes): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.content.some(({ type }) => type === 'tool_call')) return
  notes.uses('assistant_prefill', 'messages')
}

/** A reply to a client of `functions` can carry only one call, so that parallel calls are disabled. */
function readParallel(body: JsonObject, notes: Notes): boolean | undefined {
  const { parallel_tool_calls: parallel, functions, tools } = body
  if (!isGiven(parallel)) return isGiven(functions) && !isGiven(tools) ? false : undefined
  if (typeof parallel !== 'boolean') throw wrong('parallel_tool_calls', 'true or false')
  if (!parallel) notes.uses('parallel_tool_calls', 'parallel_tool_calls')
  return parallel
}
