import { hash } from 'node:crypto'

import type { RecordLoss } from '../contract/codec.ts'
import type { BodyChanges, ReasoningForm, TurnChanges } from '../contract/adaptation.ts'
import { append } from '../lib/append.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import {
  type ByteRange,
  decodeString,
  eachElement,
  endOfValue,
  passElements,
} from '../lib/json/scan.ts'
import { type Member, Members, isNothing, ownValue } from './members.ts'

/** The changes of the turns of a list. */
type Changes = TurnChanges & { readonly roles?: BodyChanges['roles'] | undefined }

const quote = 0x22
const openBrace = 0x7b
const openBracket = 0x5b

/** Returns the edits of the turns of a list: of their roles, members, reasoning and ids of tool calls. */
export function turnsEdits(
  bytes: Buffer,
  list: ByteRange,
  changes: Changes,
  drop: RecordLoss,
): ByteEdit[] {
  const edits: ByteEdit[] = []
  if (bytes[list.start] !== openBracket) return edits
  const lost = new Set<string>()
  let before: Turn | undefined
  let index = 0
  const finish = (turn: Turn | undefined, isLast: boolean) => {
    const note: RecordLoss = (name, reason) => {
      // A conversation may have the same member in a thousand turns.
      if (!lost.has(name)) drop(`messages[${turn?.index}].${name}`, reason)
      lost.add(name)
    }
    if (turn) append(edits, turn.edits(changes, isLast, note))
  }
  passElements(bytes, list.start, (start) => {
    finish(before, false)
    before = bytes[start] === openBrace ? new Turn(bytes, start, index) : undefined
    index++
    return before?.end ?? endOfValue(bytes, start)
  })
  finish(before, true)
  return edits
}

/** One turn, and its changes. */
class Turn {
  /** Its place in the list. */
  readonly index: number
  readonly #bytes: Buffer
  readonly #members: Members

  constructor(bytes: Buffer, start: number, index: number) {
    this.#bytes = bytes
    this.#members = new Members(bytes, start)
    this.index = index
  }

  get end(): number {
    return this.#members.range.end
  }

  edits(changes: Changes, isLast: boolean, note: RecordLoss): ByteEdit[] {
    const { roles, drop, reasoning, needsReasoning, continued, callIds } = changes
    const members = this.#members
    const roleMember = members.get('role')
    const role = roleMember && this.#stringOf(roleMember.value)
    const renamed = role === undefined ? undefined : ownValue(roles, role)
    if (roleMember && renamed !== undefined) members.write(roleMember, JSON.stringify(renamed))
    for (const member of members.all) {
      const reason = role === 'tool' ? undefined : ownValue(drop, member.name)
      if (reason === undefined) continue
      if (!isNothing(this.#bytes, member.value)) note(member.name, reason)
      members.remove(member)
    }
    if (callIds) this.#changeIds(callIds)
    if (role !== 'assistant') return members.edits()
    if (reasoning) this.#moveReasoning(reasoning)
    if (reasoning && needsReasoning) this.#fillReasoning(reasoning, needsReasoning)
    if (isLast && continued !== undefined && !members.has(continued)) members.add(continued, 'true')
    return members.edits()
  }

  /** Moves the reasoning from the members of other servers to this provider's member. */
  #moveReasoning(form: ReasoningForm): void {
    const members = this.#members
    const others = (['reasoning_content', 'reasoning'] as const).filter((name) => name !== form)
    const own = this.#thoughtIn(form)
    const found = others.map((name) => members.get(name)).filter((member) => member !== undefined)
    const source = own ? undefined : found.find((member) => this.#thoughtIn(member.name))
    for (const member of found) {
      if (member === source && (form === 'reasoning' || form === 'reasoning_content')) {
        const empty = members.get(form)
        if (empty) members.remove(empty)
        members.rename(member, form)
      } else members.remove(member)
    }
    if (source && (form === 'thinking' || form === 'think-tags')) {
      this.#addToContent(form, this.#text(source.value))
    }
  }

  /** Writes reasoning, a JSON string, in front of the content. */
  #addToContent(form: 'thinking' | 'think-tags', thought: string): void {
    const members = this.#members
    const content = members.get('content')
    const before =
      form === 'thinking'
        ? `{"type":"thinking","thinking":[{"type":"text","text":${thought}}]}`
        : `"<think>\\n${thought.slice(1, -1)}\\n</think>\\n\\n"`
    if (!content) return members.add('content', form === 'thinking' ? `[${before}]` : before)
    members.write(content, contentBehind(before, form, this.#text(content.value)))
  }

  #fillReasoning(form: ReasoningForm, needed: 'answers' | 'calls'): void {
    const members = this.#members
    const isNeeded = needed === 'answers' || members.has('tool_calls')
    const has = ['reasoning_content', 'reasoning'].some((name) => this.#thoughtIn(name))
    if (isNeeded && !has && !members.has(form)) members.add(form, '""')
  }

  #changeIds(fitting: RegExp): void {
    const bytes = this.#bytes
    const members = this.#members
    const result = members.get('tool_call_id')
    if (result) this.#changeId(members, result, fitting)
    const calls = members.get('tool_calls')
    if (!calls || bytes[calls.value.start] !== openBracket) return
    eachElement(bytes, calls.value.start, (call) => {
      if (bytes[call.start] !== openBrace) return
      const ofCall = new Members(bytes, call.start)
      const id = ofCall.get('id')
      if (id) this.#changeId(ofCall, id, fitting)
      members.edit(ofCall.edits())
    })
  }

  #changeId(members: Members, member: Member, fitting: RegExp): void {
    const id = this.#stringOf(member.value)
    if (id !== undefined && !fitting.test(id)) members.write(member, JSON.stringify(shortId(id)))
  }

  /** Whether a member has a text that is not empty. */
  #thoughtIn(name: string): boolean {
    const value = this.#members.get(name)?.value
    return value !== undefined && this.#bytes[value.start] === quote && value.end - value.start > 2
  }

  #stringOf(value: ByteRange): string | undefined {
    return this.#bytes[value.start] === quote ? decodeString(this.#bytes, value) : undefined
  }

  #text({ start, end }: ByteRange): string {
    return this.#bytes.toString('utf8', start, end)
  }
}

/** The content of an answer behind its reasoning. All texts are JSON. */
function contentBehind(before: string, form: 'thinking' | 'think-tags', content: string): string {
  const isList = content.startsWith('[')
  const isEmptyList = isList && content.slice(1, -1).trim() === ''
  const isText = content.startsWith('"') && content !== '""'
  if (form === 'thinking') {
    if (isList && !isEmptyList) return `[${before},${content.slice(1)}`
    return isText ? `[${before},{"type":"text","text":${content}}]` : `[${before}]`
  }
  if (isList && !isEmptyList) return `[{"type":"text","text":${before}},${content.slice(1)}`
  return isText ? before.slice(0, -1) + content.slice(1) : before
}

/** Nine letters and digits, as Mistral has ids. The same id gives the same text, so that results find their calls. */
function shortId(id: string): string {
  return hash('sha256', id, 'base64url').replaceAll(/[-_]/g, '').slice(0, 9)
}
