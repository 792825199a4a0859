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

/** Reads `messages` as turns. Adjacent tool messages become one turn. */
export function readMessages(messages: unknown, notes: Notes): Turn[] {
  notes.sets('conversation', 'messages')
  const reader = new ConversationReader(notes)
  readList(messages, 'messages').forEach((item, index) => {
    const path = `messages[${index}]`
    reader.read(readObject(item, path), path)
  })
  noteStrayResult(reader.turns, reader.results, notes)
  return reader.turns
}

class ConversationReader {
  readonly turns: Turn[] = []
  /** The path of each result in the client's request. */
  readonly results = new Map<ToolResult, string>()
  readonly #notes: Notes
  readonly #legacy = new LegacyCalls()
  /** The results of the last turn, if it is one of tools. */
  #lastResults: ToolResult[] | undefined
  /** Whether a turn of another role than `system` has begun. */
  #hasBegun = false

  constructor(notes: Notes) {
    this.#notes = notes
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
        noteMembers('assistant', message, path, this.#notes)
        this.#noteName(message, path)
        this.#begin(readAnswer(message, path, this.#notes, this.#legacy))
        return
      case 'tool':
        noteMembers('tool', message, path, this.#notes)
        return this.#result(toolResult(message, path, this.#notes), path)
      case 'function':
        noteMembers('function', message, path, this.#notes)
        return this.#result(this.#legacy.result(message, path), path)
      default:
        throw wrong(`${path}.role`, 'one of system, developer, user, assistant, tool, function')
    }
  }

  #instructions(message: JsonObject, path: string): void {
    noteMembers('system', message, path, this.#notes)
    this.#noteName(message, path)
    if (this.#hasBegun) this.#notes.uses('system_midway', path)
    const content = readContent<TextPart>(message.content, `${path}.content`, this.#notes, {})
    this.#lastResults = undefined
    this.turns.push({ role: 'system', content })
  }

  #user(message: JsonObject, path: string): void {
    noteMembers('user', message, path, this.#notes)
    this.#noteName(message, path)
    const content = readContent(message.content, `${path}.content`, this.#notes, userReaders)
    this.#notes.usesContent(content, `${path}.content`)
    this.#begin({ role: 'user', content })
  }

  #result(result: ToolResult, path: string): void {
    this.results.set(result, path)
    if (this.#lastResults) return void this.#lastResults.push(result)
    const results = [result]
    this.#begin({ role: 'tool', results })
    this.#lastResults = results
  }

  #begin(turn: Turn): void {
    this.#hasBegun = true
    this.#lastResults = undefined
    this.turns.push(turn)
  }

  #noteName({ name }: JsonObject, path: string): void {
    if (isGiven(name)) {
      this.#notes.extra(
        `${path}.name`,
        'warn',
        'only the Chat Completions API supports names of participants',
      )
    }
  }
}

function toolResult(message: JsonObject, path: string, notes: Notes): ToolResult {
  const { tool_call_id: callId, content, name } = message
  const parts = isGiven(content) ? readContent(content, `${path}.content`, notes, toolReaders) : []
  if (parts.some(({ type }) => type !== 'text')) {
    notes.uses('tool_result_media', `${path}.content`)
  }
  return {
    callId: readName(callId, `${path}.tool_call_id`),
    ...(typeof name === 'string' && name !== '' && { name }),
    content: parts,
  }
}
