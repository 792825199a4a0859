import { append } from '../../../../../src/lib/append.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { TextPart } from '../../../../../src/generate/content.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { isCall, noteStrayResult } from '../../../../../src/generate/match-results.ts'
import { readAssistantBlocks, readUserBlocks } from './decode-blocks.ts'
import { noteBlock, noteMembers } from './members.ts'
import { type MessageNotes, readBlocks, readCacheMark, readTextMember } from './read.ts'
import { readList, readObject } from '../../../../../src/kit/codec/read.ts'

/** Reads the system prompt and the messages as turns. */
export function readTurns({ system, messages }: JsonObject, notes: MessageNotes): readonly Turn[] {
  notes.sets('conversation', 'messages')
  const turns: Turn[] = []
  const texts = readSystem(system ?? [], 'system', notes)
  if (texts.length > 0) turns.push({ role: 'system', content: texts })
  const all = readList(messages, 'messages')
  for (const [position, item] of all.entries()) {
    append(turns, readMessage(readObject(item, `messages[${position}]`), position, notes))
  }
  notePrefill(turns, `messages[${all.length - 1}]`, notes)
  noteStrayResult(turns, notes.results, notes)
  return turns
}

/** An assistant message at the end is a prefill that the model continues, unless it has tool calls. */
function notePrefill(turns: readonly Turn[], path: string, notes: MessageNotes): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.content.some(isCall)) return
  notes.uses('assistant_prefill', path)
}

function readMessage(message: JsonObject, position: number, notes: MessageNotes): Turn[] {
  const path = `messages[${position}]`
  const content = `${path}.content`
  noteMembers('message', message, path, notes)
  switch (message.role) {
    case 'user': {
      const { results, parts } = readUserBlocks(message.content, content, notes)
      const turns: Turn[] = []
      if (results.length > 0) turns.push({ role: 'tool', results })
      if (parts.length > 0) turns.push({ role: 'user', content: parts })
      return turns
    }
    case 'assistant': {
      const parts = readAssistantBlocks(message.content, content, notes)
      return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
    }
    case 'system': {
      const texts = readSystem(message.content, content, notes)
      if (texts.length === 0) return []
      notes.uses('system_midway', path)
      return [{ role: 'system', content: texts }]
    }
    default:
      throw wrong(`${path}.role`, 'one of user, assistant, system')
  }
}

function readSystem(content: unknown, path: string, notes: MessageNotes): readonly TextPart[] {
  return readBlocks(content, path).flatMap((block) => {
    noteBlock(block, notes)
    if (block.type !== 'text') {
      notes.native(block.path, 'only the Messages API supports this block')
      return []
    }
    const text = readTextMember(block.json, 'text', block.path)
    const { json, path: at } = block
    return text === '' ? [] : [{ type: 'text' as const, text, ...readCacheMark(json, at, notes) }]
  })
}
