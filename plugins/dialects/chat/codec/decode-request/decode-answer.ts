import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  ReasoningPart,
  RefusalPart,
  ToolCallPart,
  ToolResult,
} from '../../../../../src/generate/content.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import {
  isGiven,
  readList,
  readName,
  readObject,
  readText,
  textMember,
} from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { readCitations } from '../citations.ts'
import { readCallSignature } from '../signatures.ts'
import { readContent } from './decode-parts.ts'
import { noteMembers } from './members.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/**
 * Reads calls and results of the deprecated `functions`. They have no ids, so that a result belongs to
 * the last call of the same name.
 */
export class LegacyCalls {
  readonly #ids = new TextMap<string>()

  call(value: unknown, path: string): ToolCallPart {
    const called = readObject(value, path)
    const name = readName(called.name, `${path}.name`)
    const id = toolIdOf(path, name)
    this.#ids.set(name, id)
    const text = readText(called.arguments ?? '', `${path}.arguments`)
    return { type: 'tool_call', id, name, kind: 'function', arguments: text }
  }

  result(message: JsonObject, path: string): ToolResult {
    const name = readName(message.name, `${path}.name`)
    const content = isGiven(message.content) ? readText(message.content, `${path}.content`) : ''
    const callId = this.#ids.get(name) ?? toolIdOf(path, name)
    return { callId, name, content: [{ type: 'text', text: content }] }
  }
}

const answerReaders = {
  refusal(part: JsonObject, path: string, notes: Notes): RefusalPart {
    noteMembers('refusal', part, path, notes)
    return { type: 'refusal', text: readText(part.refusal, `${path}.refusal`) }
  },
}

/** Reads an assistant message, an earlier answer that the client sends back. */
export function readAnswer(
  message: JsonObject,
  path: string,
  notes: Notes,
  legacy: LegacyCalls,
): Turn {
  if (isGiven(message.audio)) {
    notes.extra(
      `${path}.audio`,
      'native',
      'only the account that created a spoken answer knows its id',
    )
  }
  const content = [
    ...readReasoning(message, path, notes),
    ...readMessageContent(message, path, notes),
    ...readRefusal(message, path),
    ...readCalls(message, path, notes),
  ]
  if (isGiven(message.function_call)) {
    content.push(legacy.call(message.function_call, `${path}.function_call`))
  }
  return { role: 'assistant', content }
}

function readReasoning(message: JsonObject, path: string, notes: Notes): ReasoningPart[] {
  const name = isGiven(message.reasoning_content) ? 'reasoning_content' : 'reasoning'
  const text = message[name]
  if (typeof text !== 'string' || text === '') return []
  notes.uses('reasoning_history', `${path}.${name}`)
  return [{ type: 'reasoning', form: 'raw', text }]
}

function readMessageContent(message: JsonObject, path: string, notes: Notes): AssistantPart[] {
  const { content, annotations } = message
  if (!isGiven(content) || content === '') return []
  const parts = readContent(content, `${path}.content`, notes, answerReaders)
  const citations = readCitations(annotations, 0)
  const [only] = parts
  if (citations.length === 0 || parts.length > 1 || only?.type !== 'text') return parts
  return [{ ...only, citations }]
}

function readRefusal(message: JsonObject, path: string): RefusalPart[] {
  const refusal = textMember(message, 'refusal', path)
  return refusal ? [{ type: 'refusal', text: refusal }] : []
}

function readCalls(message: JsonObject, path: string, notes: Notes): ToolCallPart[] {
  if (!isGiven(message.tool_calls)) return []
  return readList(message.tool_calls, `${path}.tool_calls`).map((item, index) => {
    const at = `${path}.tool_calls[${index}]`
    return readCall(readObject(item, at), at, notes)
  })
}

function readCall(call: JsonObject, path: string, notes: Notes): ToolCallPart {
  const id = readName(call.id, `${path}.id`)
  noteMembers('call', call, path, notes)
  const signature = readCallSignature(call)
  const signed = signature && { signature }
  if (call.type === 'custom') {
    const custom = readObject(call.custom, `${path}.custom`)
    const { name, input } = custom
    noteMembers('called', custom, `${path}.custom`, notes)
    notes.uses('custom_tools', path)
    return {
      type: 'tool_call',
      id,
      name: readName(name, `${path}.custom.name`),
      kind: 'custom',
      arguments: readText(input, `${path}.custom.input`),
      ...signed,
    }
  }
  if (isGiven(call.type) && call.type !== 'function') {
    throw wrong(`${path}.type`, 'function or custom')
  }
  const called = readObject(call.function, `${path}.function`)
  noteMembers('called', called, `${path}.function`, notes)
  return {
    type: 'tool_call',
    id,
    name: readName(called.name, `${path}.function.name`),
    kind: 'function',
    arguments: readText(called.arguments ?? '', `${path}.function.arguments`),
    ...signed,
  }
}
