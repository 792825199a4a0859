import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import {
  numberAt,
  objectsIn,
  objectAt,
  parseOrUndefined,
  stringAt,
} from '../../../../../src/lib/json/read.ts'
import { detailedReasoning, readCallSignature } from '../signatures.ts'
import { CallTable } from './call-table.ts'
import type { PartEmitter } from './part-emitter.ts'
import type { ToolNames } from '../../../../../src/generate/names.ts'

interface Call {
  /** The `index` that the account gave to the call. */
  readonly slot: number | undefined
  /** The `id` that the account gave to the call. */
  readonly upstreamId: string | undefined
  readonly id: string
  readonly kind: 'function' | 'custom'
  /** The index of its part; `undefined` before the name has arrived and after the end. */
  part: number | undefined
  isNamed: boolean
  text: string
  signature: Signature | undefined
}

/** Reads the tool calls of one choice, whose fragments may interleave. */
export class CallReader {
  readonly #parts: PartEmitter
  readonly #choice: number
  readonly #names: ToolNames
  readonly #calls = new CallTable<Call>()

  constructor(parts: PartEmitter, choice: number, names: ToolNames) {
    this.#parts = parts
    this.#choice = choice
    this.#names = names
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0
  }

  /**
   * Reads a `tool_calls` list of fragments, or of complete calls when `areWhole`. Calls without an id
   * get one that is derived from `replyId`.
   */
  read(list: unknown, areWhole: boolean, replyId: string): void {
    for (const fragment of objectsIn(list)) {
      if (isNothing(fragment)) continue
      const call = (areWhole ? undefined : this.#find(fragment)) ?? this.#add(fragment, replyId)
      this.#extend(call, fragment)
    }
  }

  /** Whether a call has no name. */
  get hasNameless(): boolean {
    return this.#calls.values().some(({ isNamed }) => !isNamed)
  }

  /** Signs the last call with details of reasoning that came after the first call. */
  signLast(details: readonly JsonObject[]): void {
    const { last } = this.#calls
    if (last && details.length > 0) last.signature ??= detailedReasoning(details, undefined)
  }

  /** Ends the open calls in the order in which they began. */
  end(): void {
    for (const call of this.#calls.values()) this.#endCall(call)
  }

  /**
   * Returns the call that a fragment continues. Some providers number every call 0, some send no
   * numbers or count on in the fragments of a call, and some repeat the id and name.
   */
  #find(fragment: JsonObject): Call | undefined {
    const slot = numberAt(fragment, 'index')
    const id = stringAt(fragment, 'id') || undefined
    if (slot !== undefined) {
      const call = this.#calls.lastIn(slot)
      const isAnother = id !== undefined && call?.upstreamId !== undefined && id !== call.upstreamId
      if (call) return isAnother ? undefined : call
    } else if (id !== undefined) return this.#calls.firstWith(id)
    return id === undefined && nameIn(fragment) === undefined ? this.#calls.last : undefined
  }

  #add(fragment: JsonObject, replyId: string): Call {
    const upstreamId = stringAt(fragment, 'id') || undefined
    const isTaken = upstreamId === undefined || this.#calls.hasId(upstreamId)
    const call: Call = {
      slot: numberAt(fragment, 'index'),
      upstreamId,
      id: isTaken ? toolIdOf(replyId, this.#choice, this.#calls.size) : upstreamId,
      kind: fragment.type === 'custom' || objectAt(fragment, 'custom') ? 'custom' : 'function',
      part: undefined,
      isNamed: false,
      text: '',
      signature: undefined,
    }
    this.#endComplete(this.#calls.last)
    this.#calls.add(call)
    return call
  }

  /** Ends a call early when its arguments already are a complete JSON object. */
  #endComplete(call: Call | undefined): void {
    if (call?.kind === 'function' && call.part !== undefined && isCompleteObject(call.text)) {
      this.#endCall(call)
    }
  }

  #extend(call: Call, fragment: JsonObject): void {
    if (fragment.extra_content) call.signature = readCallSignature(fragment) ?? call.signature
    const input = inputIn(fragment, call.kind)
    if (call.part !== undefined) {
      if (input !== '') this.#parts.delta(call.part, input)
    } else if (call.isNamed) return
    call.text += input
    if (!call.isNamed) this.#begin(call, nameIn(fragment))
  }

  #begin(call: Call, name: string | undefined): void {
    if (name === undefined) return
    const { id, kind, text } = call
    const head = { type: 'tool_call', id, name: this.#names.original(name), kind } as const
    call.isNamed = true
    call.part = this.#parts.begin(this.#choice, head)
    if (text !== '') this.#parts.delta(call.part, text)
  }

  #endCall(call: Call): void {
    if (call.part === undefined) return
    if (call.signature) this.#parts.sign(call.part, call.signature)
    this.#parts.end(call.part)
    call.part = undefined
  }
}

/** Whether a fragment has empty values only: some servers write it where there is no call. */
function isNothing(fragment: JsonObject): boolean {
  const { id, extra_content: extra } = fragment
  const called = calleeIn(fragment)
  return !id && !extra && !called?.name && !called?.arguments && !called?.input
}

function calleeIn(fragment: JsonObject): JsonObject | undefined {
  return objectAt(fragment, 'function') ?? objectAt(fragment, 'custom')
}

function nameIn(fragment: JsonObject): string | undefined {
  return stringAt(calleeIn(fragment), 'name') || undefined
}

/** Returns the input of a call as text. Some providers send arguments as an object. */
function inputIn(fragment: JsonObject, kind: Call['kind']): string {
  const called = calleeIn(fragment)
  const input = kind === 'custom' ? called?.input : called?.arguments
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  checkArguments(input)
  return JSON.stringify(input)
}

function isCompleteObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  return parseOrUndefined(text) !== undefined
}
