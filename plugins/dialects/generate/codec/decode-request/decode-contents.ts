import { append } from '../../../../../src/lib/append.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import type { TextPart, ToolResult, UserPart } from '../../../../../src/generate/content.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { AssistantDraft, readModelPart } from './decode-model-part.ts'
import { readFile, readInline } from './decode-media.ts'
import { readResponse } from './decode-response.ts'
import type { RequestNotes } from './notes.ts'
import { OpenCalls } from './open-calls.ts'
import { contentRules, partKinds, partRules } from './part-rules.ts'
import { isObject } from '../../../../../src/lib/json/object.ts'
import { RequestObject } from './request-object.ts'

/** Reads `contents` as turns. */
export function readContents(request: RequestObject, notes: RequestNotes): Turn[] {
  notes.sets('conversation', 'contents')
  const reader = new ContentsReader(notes)
  const contents = request.objects('contents')
  for (const content of contents) reader.read(content)
  reader.close()
  const last = contents.at(-1)
  if (last && readRole(last) === 'model') notes.uses('assistant_prefill', last.pathOf('role'))
  return reader.turns
}

/** Reads the texts of `systemInstruction` as a turn. */
export function readSystem(request: RequestObject, notes: RequestNotes): Turn[] {
  const value = request.value('systemInstruction')
  if (value === undefined) return []
  if (typeof value === 'string') return systemTurn([{ type: 'text', text: value }])
  if (!isObject(value)) throw wrong(request.pathOf('systemInstruction'), 'an object')
  const instruction = new RequestObject(value, request.pathOf('systemInstruction'))
  notes.noteOthers(instruction, contentRules)
  return systemTurn(readTexts(instruction, notes))
}

class ContentsReader {
  readonly turns: Turn[] = []
  readonly #notes: RequestNotes
  readonly #calls = new OpenCalls()

  constructor(notes: RequestNotes) {
    this.#notes = notes
  }

  read(content: RequestObject): void {
    this.#notes.noteOthers(content, contentRules)
    const role = readRole(content)
    if (role === 'model') return this.#readModel(content)
    this.close()
    if (role === 'system') this.#readSystem(content)
    else this.#readUser(content)
  }

  /** Completes the answer that was read last. */
  close(): void {
    const last = this.turns.at(-1)
    if (last instanceof AssistantDraft) last.close()
  }

  #readModel(content: RequestObject): void {
    const last = this.turns.at(-1)
    const draft = last instanceof AssistantDraft ? last : new AssistantDraft()
    const turn = draft === last ? this.turns.length - 1 : this.turns.length
    for (const part of this.#parts(content)) {
      readModelPart(part, draft, this.#calls, this.#notes, turn)
    }
    if (draft !== last && draft.content.length > 0) this.turns.push(draft)
  }

  #readSystem(content: RequestObject): void {
    if (this.turns.length > 0) this.#notes.uses('system_midway', content.pathOf('role'))
    append(this.turns, systemTurn(readTexts(content, this.#notes)))
  }

  /** Reads a user content. Results become a turn of their own, before the other parts. */
  #readUser(content: RequestObject): void {
    const results: ToolResult[] = []
    const parts: UserPart[] = []
    for (const part of this.#parts(content)) {
      const response = part.object('functionResponse')
      if (response) results.push(readResponse(response, this.#calls, this.#notes))
      else append(parts, readUserPart(part, this.#notes))
    }
    if (results.length > 0) this.turns.push({ role: 'tool', results })
    if (results.length === 0) this.#notes.usesContent(parts, content.pathOf('parts'))
    if (parts.length > 0) this.turns.push({ role: 'user', content: parts })
  }

  #parts(content: RequestObject): RequestObject[] {
    return partsOf(content).map((part) => {
      checkKind(part)
      this.#notes.noteOthers(part, partRules)
      return part
    })
  }
}

/** The roles of contents and their meanings. Clients send more roles than the Gemini API documents. */
const roles: ReadonlyMap<string, 'user' | 'model' | 'system'> = new Map([
  ['user', 'user'],
  ['model', 'model'],
  ['function', 'user'],
  ['tool', 'user'],
  ['assistant', 'model'],
  ['system', 'system'],
])

function readRole(content: RequestObject): 'user' | 'model' | 'system' {
  const word = content.text('role') || 'user'
  const role = roles.get(word)
  if (role === undefined)
    throw wrong(content.pathOf('role'), `one of ${[...roles.keys()].join(', ')}`)
  return role
}

/** The parts of a content. The provider refuses a content without any. */
function partsOf(content: RequestObject): RequestObject[] {
  const parts = content.objects('parts')
  if (parts.length === 0) throw wrong(content.pathOf('parts'), 'an array with at least 1 item')
  return parts
}

/**
 * Throws for a part without any content, unless it has unknown members, which are a loss, and for a part
 * with several kinds of content.
 */
function checkKind(part: RequestObject): void {
  const kinds = partKinds.filter((kind) => part.has(kind))
  if (kinds.length === 1) return
  if (kinds.length > 1) throw wrong(part.path, `an object with one of ${kinds.join(', ')}`)
  const hasUnknown = part.names().some((name) => !Object.hasOwn(partRules, name))
  if (!hasUnknown) throw wrong(part.path, 'an object with `text` or another kind of content')
}

function readUserPart(part: RequestObject, notes: RequestNotes): UserPart[] {
  const text = part.text('text')
  if (text !== undefined) return [{ type: 'text', text }]
  const inline = part.object('inlineData')
  const file = part.object('fileData')
  const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
  if (part.has('functionCall')) throw wrong(part.path, 'in a content with the role `model`')
  return media ? [media] : []
}

function readTexts(content: RequestObject, notes: RequestNotes): TextPart[] {
  return partsOf(content).flatMap((part) => {
    notes.noteOthers(part, partRules)
    const text = part.text('text')
    if (text !== undefined) return [{ type: 'text' as const, text }]
    notes.noteLoss(part.path, ['warn', 'other dialects support only text in instructions'])
    return []
  })
}

function systemTurn(content: TextPart[]): Turn[] {
  const texts = content.filter(({ text }) => text !== '')
  return texts.length > 0 ? [{ role: 'system', content: texts }] : []
}
