import { wrong } from '../../../../../src/kit/checks.ts'
import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest, Turn } from '../../../../../src/generate/request.ts'
import { readMessages } from './decode-messages.ts'
import { readSettings } from './decode-settings.ts'
import { readToolChoice, readTools } from './decode-tools.ts'
import { findExtras } from './extras.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'

/** What a client asks for in the words of chat completions. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const found = new Notes()
  const turns = readMessages(body.messages, found)
  notePrefill(turns, found)
  const tools = readTools(body, found)
  const toolChoice = readToolChoice(body, found)
  const parallelToolCalls = readParallel(body, found)
  const settings = readSettings(body, found)
  findExtras(body, found)
  return {
    stream,
    turns,
    tools,
    ...(toolChoice && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    ...settings,
    fields: found.fields,
    settings: found.settings,
    extras: found.extras,
  }
}

/** An answer at the end is one that the model goes on with, unless it waits for tools. */
function notePrefill(turns: readonly Turn[], found: Notes): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.content.some(({ type }) => type === 'tool_call')) return
  found.uses('assistant_prefill', 'messages')
}

/** An answer to `functions` has room for one call. */
function readParallel(body: JsonObject, found: Notes): boolean | undefined {
  const { parallel_tool_calls: parallel, functions, tools } = body
  if (!isGiven(parallel)) return isGiven(functions) && !isGiven(tools) ? false : undefined
  if (typeof parallel !== 'boolean') throw wrong('parallel_tool_calls', 'true or false')
  if (!parallel) found.uses('parallel_tool_calls', 'parallel_tool_calls')
  return parallel
}
