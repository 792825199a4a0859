import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { TextPart, ToolResult } from '../../../../../src/generate/content.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { LegacyCalls, readAnswer } from './decode-answer.ts'
import { readContent, toolReaders, userReaders } from './decode-parts.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { noteStrayResult } from '../../../../../src/generate/match-results.ts'
import { noteMembers } from './members.ts'
import { isGiven, readList, readName, readObject } from '../../../../../src/kit/codec/read.ts'

/** The conversation so far. Messages of tools that stand together are one turn. */
export function readMessages(messages: unknown, found: Notes): Turn[] {
  const reader = new ConversationReader(found)
  readList(messages, 'messages').forEach((item, index) => {
    const path = `messages[${index}]`
    reader.read(readObject(item, path), path)
  })
  noteStrayResult(reader.turns, reader.results, found)
  return reader.turns
}

class ConversationReader {
  readonly turns: Turn[] = []
  /** What the client calls each result. */
  readonly results = new Map<ToolResult, string>()
  readonly #found: Notes
  readonly #legacy = new LegacyCalls()

  constructor(found: Notes) {
    this.#found = found
  }

  read(message: JsonObject, path: string): void {
    const role = readName(message.role, `${path}.role`)
    switch (role) {
      case 'system':
      case 'developer':
        return this.#instructions(message, path)
      case 'user':
        return this.#user(message, path)
      case 'assistant':
        noteMembers('assistant', message, path, this.#found)
        this.#noteName(message, path)
        this.turns.push(readAnswer(message, path, this.#found, this.#legacy))
        return
      case 'tool':
        noteMembers('tool', message, path, this.#found)
        return this.#result(toolResult(message, path, this.#found), path)
      case 'function':
        noteMembers('function', message, path, this.#found)
        return this.#result(this.#legacy.result(message, path), path)
      default:
        throw wrong(`${path}.role`, 'one of system, developer, user, assistant, tool, function')
    }
  }

  #instructions(message: JsonObject, path: string): void {
    noteMembers('system', message, path, this.#found)
    this.#noteName(message, path)
    if (this.turns.some(({ role }) => role !== 'system')) this.#found.uses('system_midway', path)
    const content = readContent<TextPart>(message.content, `${path}.content`, this.#found, {})
    this.turns.push({ role: 'system', content })
  }

  #user(message: JsonObject, path: string): void {
    noteMembers('user', message, path, this.#found)
    this.#noteName(message, path)
    const content = readContent(message.content, `${path}.content`, this.#found, userReaders)
    this.turns.push({ role: 'user', content })
  }

  #result(result: ToolResult, path: string): void {
    this.results.set(result, path)
    const last = this.turns.at(-1)
    if (last?.role !== 'tool') this.turns.push({ role: 'tool', results: [result] })
    else this.turns[this.turns.length - 1] = { role: 'tool', results: [...last.results, result] }
  }

  #noteName({ name }: JsonObject, path: string): void {
    if (isGiven(name)) {
      this.#found.extra(
        `${path}.name`,
        'warn',
        'only the Chat Completions API has names of participants',
      )
    }
  }
}

function toolResult(message: JsonObject, path: string, found: Notes): ToolResult {
  const { tool_call_id: callId, content, name } = message
  const parts = isGiven(content) ? readContent(content, `${path}.content`, found, toolReaders) : []
  if (parts.some(({ type }) => type !== 'text')) {
    found.uses('tool_result_media', `${path}.content`)
  }
  return {
    callId: readName(callId, `${path}.tool_call_id`),
    ...(typeof name === 'string' && name !== '' && { name }),
    content: parts,
  }
}
