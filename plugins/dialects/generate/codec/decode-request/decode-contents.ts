import { wrong } from '../../../../../src/kit/checks.ts'
import type { TextPart, ToolResult, UserPart } from '../../../../../src/generate/content.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { AssistantDraft, readModelPart } from './decode-model-part.ts'
import { readFile, readInline } from './decode-media.ts'
import { readResponse } from './decode-response.ts'
import type { PlaceNotes } from './notes.ts'
import { OpenCalls } from './open-calls.ts'
import { contentRules, partKinds, partRules } from './part-rules.ts'
import { isObject } from '../../../../../src/lib/json/object.ts'
import { FieldPlace } from './field-place.ts'

/** `contents` as turns. */
export function readContents(request: FieldPlace, notes: PlaceNotes): Turn[] {
  const reader = new ContentsReader(notes)
  const contents = request.objects('contents')
  for (const content of contents) reader.read(content)
  const last = contents.at(-1)
  if (last?.text('role') === 'model') notes.uses('assistant_prefill', last.nameOf('role'))
  return reader.turns
}

/** `systemInstruction`: all its texts. */
export function readSystem(request: FieldPlace, notes: PlaceNotes): Turn[] {
  const value = request.value('systemInstruction')
  if (value === undefined) return []
  if (typeof value === 'string') return systemTurn([{ type: 'text', text: value }])
  if (!isObject(value)) throw wrong(request.nameOf('systemInstruction'), 'an object')
  const instruction = new FieldPlace(value, request.nameOf('systemInstruction'))
  notes.others(instruction, contentRules)
  return systemTurn(readTexts(instruction, notes))
}

class ContentsReader {
  readonly turns: Turn[] = []
  readonly #notes: PlaceNotes
  readonly #calls = new OpenCalls()

  constructor(notes: PlaceNotes) {
    this.#notes = notes
  }

  read(content: FieldPlace): void {
    this.#notes.others(content, contentRules)
    const role = content.text('role')
    if (role === 'model' || role === 'assistant') this.#readModel(content)
    else if (role === 'system') this.#readSystem(content)
    else this.#readUser(content)
  }

  #readModel(content: FieldPlace): void {
    const last = this.turns.at(-1)
    const draft = last instanceof AssistantDraft ? last : new AssistantDraft()
    const turn = draft === last ? this.turns.length - 1 : this.turns.length
    for (const part of this.#parts(content)) {
      readModelPart(part, draft, this.#calls, this.#notes, turn)
    }
    if (draft !== last && draft.content.length > 0) this.turns.push(draft)
  }

  #readSystem(content: FieldPlace): void {
    if (this.turns.length > 0) this.#notes.uses('system_midway', content.nameOf('role'))
    this.turns.push(...systemTurn(readTexts(content, this.#notes)))
  }

  /** Results come first: they belong to the calls right before. */
  #readUser(content: FieldPlace): void {
    const results: ToolResult[] = []
    const parts: UserPart[] = []
    for (const part of this.#parts(content)) {
      const response = part.object('functionResponse')
      if (response) results.push(readResponse(response, this.#calls, this.#notes))
      else parts.push(...readUserPart(part, this.#notes))
    }
    if (results.length > 0) this.turns.push({ role: 'tool', results })
    if (parts.length > 0) this.turns.push({ role: 'user', content: parts })
  }

  #parts(content: FieldPlace): FieldPlace[] {
    return content.objects('parts').map((part) => {
      if (!partKinds.some((kind) => part.has(kind))) checkKind(part)
      this.#notes.others(part, partRules)
      return part
    })
  }
}

/** A kind of part that is not known is told as a loss; a part of no kind is a mistake. */
function checkKind(part: FieldPlace): void {
  const isSomething = part.names().some((name) => !Object.hasOwn(partRules, name))
  if (!isSomething) throw wrong(part.path, 'an object with `text` or another kind of content')
}

function readUserPart(part: FieldPlace, notes: PlaceNotes): UserPart[] {
  const text = part.text('text')
  if (text !== undefined) return [{ type: 'text', text }]
  const inline = part.object('inlineData')
  const file = part.object('fileData')
  const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
  if (part.has('functionCall')) throw wrong(part.path, 'a part of the model, in a content of it')
  return media ? [media] : []
}

function readTexts(content: FieldPlace, notes: PlaceNotes): TextPart[] {
  return content.objects('parts').flatMap((part) => {
    notes.others(part, partRules)
    const text = part.text('text')
    if (text !== undefined) return [{ type: 'text' as const, text }]
    notes.lost(part.path, ['warn', 'instructions are nothing but text elsewhere'])
    return []
  })
}

function systemTurn(content: TextPart[]): Turn[] {
  const said = content.filter(({ text }) => text !== '')
  return said.length > 0 ? [{ role: 'system', content: said }] : []
}
