import { wrong } from '../../../../../src/kit/checks.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type { RequestObject } from './request-object.ts'
import { TextMap, TextSet } from '../../../../../src/lib/text-map.ts'

interface OpenCall {
  readonly id: string
  /** The id in the client's request. */
  readonly clientId: string | undefined
  readonly name: string
}

/** The calls of a conversation without a response so far. Ids are optional in this dialect. */
export class OpenCalls {
  /** All open calls by the client's id, and the calls of the present turn by name; both in order. */
  readonly #byId = new TextMap<Set<OpenCall>>()
  readonly #byName = new TextMap<Set<OpenCall>>()
  readonly #ids = new TextSet()
  #ordinal = 0
  #turn = -1

  /**
   * Adds a call and returns its id: the client's, or a derived one if that is absent or used. `turn` is the
   * index of the turn, which may span several contents: chats of the official SDK send chunks back.
   */
  add(clientId: string | undefined, name: string, turn: number): string {
    if (turn !== this.#turn) {
      this.#ordinal = 0
      this.#byName.clear()
    }
    this.#turn = turn
    const isFree = clientId !== undefined && clientId !== '' && !this.#ids.has(clientId)
    const id = isFree ? clientId : toolIdOf('call', clientId ?? '', turn, this.#ordinal)
    this.#ordinal++
    this.#ids.add(id)
    const call = { id, clientId, name }
    if (clientId !== undefined) addTo(this.#byId, clientId, call)
    addTo(this.#byName, name, call)
    return id
  }

  /** Returns the call of a response: the one with its id, else the next one with its name. */
  match(clientId: string | undefined, name: string | undefined, at: RequestObject): OpenCall {
    const call = first(this.#byId, clientId) ?? first(this.#byName, name)
    if (!call) throw wrong(at.path, 'the response to a function call of the turn before it')
    if (call.clientId !== undefined) this.#byId.get(call.clientId)?.delete(call)
    this.#byName.get(call.name)?.delete(call)
    return call
  }
}

type Index = TextMap<Set<OpenCall>>

function addTo(index: Index, key: string, call: OpenCall): void {
  const calls = index.get(key)
  if (calls) calls.add(call)
  else index.set(key, new Set([call]))
}

function first(index: Index, key: string | undefined): OpenCall | undefined {
  return key === undefined ? undefined : index.get(key)?.values().next().value
}
