import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { AssistantPart, UserPart } from '../../../../../src/generate/content.ts'
import { textMember } from '../../../../../src/kit/codec/read.ts'
import { readCitations } from '../citations.ts'
import { eachPart, readContent, readPart } from './decode-parts.ts'
import { noteMembers } from './members.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import type { DecodeContext } from './turn-list.ts'

/** Reads a message item of any role into the turn list. */
export function readMessage(item: JsonObject, path: string, { turns, notes }: DecodeContext): void {
  const at = `${path}.content`
  noteMembers('message', item, path, notes)
  switch (item.role) {
    case 'user': {
      const content = readContent(item.content, at, notes)
      notes.usesContent(content, at)
      return turns.user(content)
    }
    case 'assistant':
      if (item.phase) notes.extra(`${path}.phase`, 'silent', 'other APIs have no phases')
      return turns.assistant(readAssistantContent(item.content, at, notes))
    case 'system':
    case 'developer':
      if (turns.hasBegun) notes.uses('system_midway', path)
      return turns.system(onlyText(readContent(item.content, at, notes), at, notes))
    default:
      throw wrong(`${path}.role`, '`user`, `assistant`, `system` or `developer`')
  }
}

function onlyText(parts: readonly UserPart[], path: string, notes: Notes) {
  if (parts.some((part) => part.type !== 'text')) {
    notes.native(path, 'only the Responses API accepts other parts than text in system messages')
  }
  return parts.filter((part) => part.type === 'text')
}

function readAssistantContent(content: unknown, path: string, notes: Notes): AssistantPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return eachPart(content, path, (json, at) => readAssistantPart(json, at, notes))
}

function readAssistantPart(
  json: JsonObject,
  path: string,
  notes: Notes,
): AssistantPart | undefined {
  if (json.type === 'refusal') {
    noteMembers('refusal', json, path, notes)
    return { type: 'refusal', text: textMember(json, 'refusal', path) ?? '' }
  }
  const part = readPart(json, path, notes)
  if (part?.type === 'file') {
    notes.native(path, 'only the Responses API accepts files in assistant messages')
    return undefined
  }
  const citations = readCitations(json.annotations)
  return part?.type === 'text' && citations.length > 0 ? { ...part, citations } : part
}
