import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCallSignature } from '../signatures.ts'
import type { PartEmitter } from './part-emitter.ts'
import type { ToolNames } from '../../../../../src/generate/names.ts'

interface Call {
  /** The provider's number and id for it. */
  readonly slot: number | undefined
  readonly toldId: string | undefined
  readonly id: string
  readonly kind: 'function' | 'custom'
  /** The number of its part; `undefined` before its name is known, or after its end. */
  part: number | undefined
  isNamed: boolean
  text: string
  signature: Signature | undefined
}

/** The calls of one choice, whose pieces may come in turns. */
export class CallReader {
  readonly #parts: PartEmitter
  readonly #choice: number
  readonly #names: ToolNames
  readonly #calls: Call[] = []

  constructor(parts: PartEmitter, choice: number, names: ToolNames) {
    this.#parts = parts
    this.#choice = choice
    this.#names = names
  }

  get any(): boolean {
    return this.#calls.length > 0
  }

  /** Pieces of calls, or whole ones. `replyId` makes the ids of calls that came without. */
  read(list: unknown, areWhole: boolean, replyId: string): void {
    for (const piece of objectsIn(list)) {
      const call = (areWhole ? undefined : this.#find(piece)) ?? this.#add(piece, replyId)
      this.#extend(call, piece)
    }
  }

  /** Whether nobody can be called. */
  get anyNameless(): boolean {
    return this.#calls.some(({ isNamed }) => !isNamed)
  }

  /** Ends all that are open, in the order in which they began. */
  end(): void {
    for (const call of this.#calls) this.#endCall(call)
  }

  /** Some providers number every call 0, some give no numbers, and some repeat id and name. */
  #find(piece: JsonObject): Call | undefined {
    const slot = numberAt(piece, 'index')
    const id = stringAt(piece, 'id') || undefined
    if (slot !== undefined) {
      const call = this.#calls.findLast((one) => one.slot === slot)
      const isAnother = id !== undefined && call?.toldId !== undefined && id !== call.toldId
      return isAnother ? undefined : call
    }
    if (id !== undefined) return this.#calls.find((one) => one.toldId === id)
    return nameIn(piece) === undefined ? this.#calls.at(-1) : undefined
  }

  #add(piece: JsonObject, replyId: string): Call {
    const toldId = stringAt(piece, 'id') || undefined
    const isTaken = toldId === undefined || this.#calls.some(({ id }) => id === toldId)
    const call: Call = {
      slot: numberAt(piece, 'index'),
      toldId,
      id: isTaken ? toolIdOf(replyId, this.#choice, this.#calls.length) : toldId,
      kind: piece.type === 'custom' || objectAt(piece, 'custom') ? 'custom' : 'function',
      part: undefined,
      isNamed: false,
      text: '',
      signature: undefined,
    }
    this.#endComplete(this.#calls.at(-1))
    this.#calls.push(call)
    return call
  }

  /** Arguments that are a whole object have no more to come. */
  #endComplete(call: Call | undefined): void {
    if (call?.kind === 'function' && call.part !== undefined && isWhole(call.text)) {
      this.#endCall(call)
    }
  }

  #extend(call: Call, piece: JsonObject): void {
    if (piece.extra_content) call.signature = readCallSignature(piece) ?? call.signature
    const more = inputIn(piece, call.kind)
    if (call.part !== undefined) {
      if (more !== '') this.#parts.delta(call.part, more)
    } else if (call.isNamed) return
    call.text += more
    if (!call.isNamed) this.#begin(call, nameIn(piece))
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

function calledIn(piece: JsonObject): JsonObject | undefined {
  return objectAt(piece, 'function') ?? objectAt(piece, 'custom')
}

function nameIn(piece: JsonObject): string | undefined {
  return stringAt(calledIn(piece), 'name') || undefined
}

/** Some providers write arguments as an object. */
function inputIn(piece: JsonObject, kind: Call['kind']): string {
  const called = calledIn(piece)
  const input = kind === 'custom' ? called?.input : called?.arguments
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  checkArguments(input)
  return JSON.stringify(input)
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
