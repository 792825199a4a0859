import { wrong } from '../../../../src/checks.ts'
import type { JsonObject } from '../../../../src/codec.ts'
import type {
  AssistantPart,
  ReasoningPart,
  RefusalPart,
  ToolCallPart,
} from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'
import { readCitations } from './citations.ts'
import { readContent } from './decode-parts.ts'
import { readCallSignature } from './extra-content.ts'
import type { Notes } from '../../../../src/generate/notes.ts'
import { noteMembers } from './members.ts'
import type { LegacyCalls } from './legacy-calls.ts'
import { isGiven, readList, readName, readObject, readText } from '../../../../src/codecs/read.ts'

const answerReaders = {
  refusal(part: JsonObject, path: string, found: Notes): RefusalPart {
    noteMembers('refusal', part, path, found)
    return { type: 'refusal', text: readText(part.refusal, `${path}.refusal`) }
  },
}

/** An earlier answer that the client sends back. */
export function readAnswer(
  message: JsonObject,
  path: string,
  found: Notes,
  legacy: LegacyCalls,
): Turn {
  if (isGiven(message.audio)) {
    found.extra(`${path}.audio`, 'native', 'spoken answers are known only where they were given')
  }
  const content = [
    ...readReasoning(message, path, found),
    ...readSaid(message, path, found),
    ...readRefusal(message),
    ...readCalls(message, path, found),
  ]
  if (isGiven(message.function_call)) {
    content.push(legacy.call(message.function_call, `${path}.function_call`))
  }
  return { role: 'assistant', content }
}

function readReasoning(message: JsonObject, path: string, found: Notes): ReasoningPart[] {
  const name = isGiven(message.reasoning_content) ? 'reasoning_content' : 'reasoning'
  const text = message[name]
  if (typeof text !== 'string' || text === '') return []
  found.uses('reasoning_history', `${path}.${name}`)
  return [{ type: 'reasoning', form: 'raw', text }]
}

function readSaid(message: JsonObject, path: string, found: Notes): AssistantPart[] {
  const { content, annotations } = message
  if (!isGiven(content) || content === '') return []
  const parts = readContent(content, `${path}.content`, found, answerReaders)
  const citations = readCitations(annotations, 0)
  const [only] = parts
  if (citations.length === 0 || parts.length > 1 || only?.type !== 'text') return parts
  return [{ ...only, citations }]
}

function readRefusal({ refusal }: JsonObject): RefusalPart[] {
  return typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal', text: refusal }] : []
}

function readCalls(message: JsonObject, path: string, found: Notes): ToolCallPart[] {
  if (!isGiven(message.tool_calls)) return []
  return readList(message.tool_calls, `${path}.tool_calls`).map((item, index) => {
    const at = `${path}.tool_calls[${index}]`
    return readCall(readObject(item, at), at, found)
  })
}

function readCall(call: JsonObject, path: string, found: Notes): ToolCallPart {
  const id = readName(call.id, `${path}.id`)
  noteMembers('call', call, path, found)
  const signature = readCallSignature(call)
  const signed = signature && { signature }
  if (call.type === 'custom') {
    const custom = readObject(call.custom, `${path}.custom`)
    const { name, input } = custom
    noteMembers('called', custom, `${path}.custom`, found)
    found.uses('custom_tools', path)
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
  noteMembers('called', called, `${path}.function`, found)
  return {
    type: 'tool_call',
    id,
    name: readName(called.name, `${path}.function.name`),
    kind: 'function',
    arguments: readText(called.arguments ?? '', `${path}.function.arguments`),
    ...signed,
  }
}
