import {
  type AssistantPart,
  isGiven,
  type JsonObject,
  type Notes,
  noteStrayResult,
  readList,
  readName,
  readObject,
  readText,
  type TextPart,
  type ToolResult,
  type Turn,
  wrong,
} from '../../../../../src/dialect-kit/index.ts'
import { decodeCall } from '../calls.ts'

/** The conversation so far: the words of the crowd, or lines. */
export function decodeLines(words: unknown, notes: Notes): Turn[] {
  if (typeof words === 'string') return [{ role: 'user', content: [textPart(words)] }]
  const results = new Map<ToolResult, string>()
  const turns = readList(words, 'words').map((item, index) => {
    const path = `words[${index}]`
    const turn = decodeLine(readObject(item, path), path, notes)
    if (turn.role === 'tool') for (const result of turn.results) results.set(result, path)
    return turn
  })
  noteStrayResult(turns, results, notes)
  noteOrder(turns, notes)
  return turns
}

const members = {
  prompter: new Set(['by', 'words']),
  crowd: new Set(['by', 'words']),
  voice: new Set(['by', 'words', 'calls']),
  helper: new Set(['by', 'words', 'call', 'failed']),
} as const

function decodeLine(line: JsonObject, path: string, notes: Notes): Turn {
  const { by, words, calls } = line
  switch (by) {
    case 'prompter':
      noteMembers(line, path, by, notes)
      return { role: 'system', content: [textPart(readText(words, `${path}.words`))] }
    case 'crowd':
      noteMembers(line, path, by, notes)
      return decodeCrowd(readText(words, `${path}.words`), path, notes)
    case 'voice':
      noteMembers(line, path, by, notes)
      return { role: 'assistant', content: [...said(words, path), ...called(calls, path)] }
    case 'helper':
      noteMembers(line, path, by, notes)
      return { role: 'tool', results: [decodeResultLine(line, path, notes)] }
    default:
      throw wrong(`${path}.by`, `one of ${Object.keys(members).join(', ')}`)
  }
}

function decodeCrowd(words: string, path: string, notes: Notes): Turn {
  const content = [textPart(words)]
  notes.usesContent(content, path)
  return { role: 'user', content }
}

function noteMembers(line: JsonObject, path: string, by: keyof typeof members, notes: Notes): void {
  notes.unread(line, path, members[by], 'only the Shout API may know it')
}

function said(words: unknown, path: string): AssistantPart[] {
  const text = isGiven(words) ? readText(words, `${path}.words`) : ''
  return text === '' ? [] : [textPart(text)]
}

function called(calls: unknown, path: string): AssistantPart[] {
  if (!isGiven(calls)) return []
  return readList(calls, `${path}.calls`).map((item, index) => {
    const at = `${path}.calls[${index}]`
    const call = readObject(item, at)
    const id = readName(call.id, `${at}.id`)
    readName(call.helper, `${at}.helper`)
    return decodeCall(call, () => id)
  })
}

function decodeResultLine(line: JsonObject, path: string, notes: Notes): ToolResult {
  if (line.failed === true) notes.uses('tool_result_failed', `${path}.failed`)
  return {
    callId: readName(line.call, `${path}.call`),
    content: [textPart(readText(line.words, `${path}.words`))],
    ...(line.failed === true && { failed: true }),
  }
}

function textPart(text: string): TextPart {
  return { type: 'text', text }
}

/** Some dialects take a prompter at the beginning only, and no voice at the end. */
function noteOrder(turns: readonly Turn[], notes: Notes): void {
  const start = turns.findIndex(({ role }) => role !== 'system')
  const midway = turns.findLastIndex(({ role }) => role === 'system')
  if (start >= 0 && midway > start) notes.uses('system_midway', `words[${midway}]`)
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.content.some(({ type }) => type === 'tool_call')) return
  notes.uses('assistant_prefill', `words[${turns.length - 1}]`)
}
