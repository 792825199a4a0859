import { wrong } from '../../../../../src/kit/checks.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type { FieldPlace } from './field-place.ts'

interface OpenCall {
  readonly id: string
  readonly given: string | undefined
  readonly name: string
  readonly turn: number
}

/** The calls of a conversation that wait for their answer. Ids are optional in this dialect. */
export class OpenCalls {
  #open: OpenCall[] = []
  readonly #ids = new Set<string>()
  #ordinal = 0
  #turn = -1

  /**
   * The id of a call: its own unless it has none or shares it with another call. A turn of the model may
   * come in several contents, as chats of the official SDK send back what was streamed.
   */
  add(given: string | undefined, name: string, turn: number): string {
    if (turn !== this.#turn) this.#ordinal = 0
    this.#turn = turn
    const isFree = given !== undefined && given !== '' && !this.#ids.has(given)
    const id = isFree ? given : toolIdOf('call', given ?? '', turn, this.#ordinal)
    this.#ordinal++
    this.#ids.add(id)
    this.#open.push({ id, given, name, turn })
    return id
  }

  /** Which call a response answers: the one with its id, else the next one of its name. */
  answer(given: string | undefined, name: string | undefined, at: FieldPlace): OpenCall {
    const call =
      this.#open.find((open) => given !== undefined && open.given === given) ??
      this.#open.find((open) => open.name === name && open.turn === this.#turn)
    if (!call) throw wrong(at.path, 'the response to a function call of the turn before it')
    this.#open = this.#open.filter((open) => open !== call)
    return call
  }
}
