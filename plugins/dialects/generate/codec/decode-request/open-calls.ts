import { wrong } from '../../../../../src/kit/checks.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type { RequestObject } from './request-object.ts'

interface OpenCall {
  readonly id: string
  /** The id in the client's request. */
  readonly clientId: string | undefined
  readonly name: string
  readonly turn: number
}

/** The calls of a conversation without a response so far. Ids are optional in this dialect. */
export class OpenCalls {
  #open: OpenCall[] = []
  readonly #ids = new Set<string>()
  #ordinal = 0
  #turn = -1

  /**
   * Adds a call and returns its id: the client's, or a derived one if that is absent or used. `turn` is the
   * index of the turn, which may span several contents: chats of the official SDK send chunks back.
   */
  add(clientId: string | undefined, name: string, turn: number): string {
    if (turn !== this.#turn) this.#ordinal = 0
    this.#turn = turn
    const isFree = clientId !== undefined && clientId !== '' && !this.#ids.has(clientId)
    const id = isFree ? clientId : toolIdOf('call', clientId ?? '', turn, this.#ordinal)
    this.#ordinal++
    this.#ids.add(id)
    this.#open.push({ id, clientId, name, turn })
    return id
  }

  /** Returns the call of a response: the one with its id, else the next one with its name. */
  match(clientId: string | undefined, name: string | undefined, at: RequestObject): OpenCall {
    const call =
      this.#open.find((open) => clientId !== undefined && open.clientId === clientId) ??
      this.#open.find((open) => open.name === name && open.turn === this.#turn)
    if (!call) throw wrong(at.path, 'the response to a function call of the turn before it')
    this.#open = this.#open.filter((open) => open !== call)
    return call
  }
}
