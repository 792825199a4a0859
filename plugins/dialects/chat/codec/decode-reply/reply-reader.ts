import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent, GenerateEvent, StartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { numberAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { ChoiceReader } from './decode-choice.ts'
import { failureOfChoice } from './failure.ts'
import { PartEmitter } from './part-emitter.ts'
import { originOf } from '../../../../../src/generate/call-ids.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { readUsage, usageIn } from '../usage.ts'

/** Reads a reply, in chunks or whole: both have the same form but for the name of a message. */
export class ReplyReader {
  readonly #emit: (event: GenerateEvent) => void
  readonly #parts: PartEmitter
  readonly #names: ToolNames
  /** How many choices there may be. */
  readonly #most: number
  readonly #choices: (ChoiceReader | undefined)[] = []
  /** The choice of the last chunk. */
  #latest: ChoiceReader | undefined
  readonly #request: GenerateRequest
  /** What calls without an id are named after. */
  #origin = ''
  #hasStarted = false
  #isOver = false
  #usage: GenerateUsage = {}

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#request = request
    this.#emit = emit
    this.#parts = new PartEmitter(emit)
    this.#names = new ToolNames(request.tools)
    this.#most = Math.max(request.candidates ?? 1, 1)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  read(reply: JsonObject): void {
    const { choices } = reply
    this.#latest = undefined
    const usage = usageIn(reply)
    if (usage) this.#usage = readUsage(usage)
    if (!Array.isArray(choices) || choices.length === 0) return
    if (!this.#hasStarted) this.#start(reply)
    for (let position = 0; position < choices.length; position++) {
      const choice: unknown = choices[position]
      if (typeof choice === 'object' && choice !== null) {
        this.#readChoice(choice as JsonObject, position)
      }
      if (this.#isOver) return
    }
  }

  /** The last chunk again, which had this text and nothing else. */
  again(text: string): void {
    if (!this.#isOver) this.#latest?.again(text)
  }

  /** Whether so many choices have finished, and every one that began. */
  isFinished(least: number): boolean {
    const choices = this.#choices
    for (let index = 0; index < choices.length; index++) {
      if (!choices[index]?.isFinished) return false
    }
    return choices.length >= least
  }

  /** All that were asked for. */
  get areAllFinished(): boolean {
    return this.isFinished(this.#most)
  }

  finish(): void {
    const choices = this.#choices
    if (choices.includes(undefined)) return this.fail(broken('misses a choice'))
    if (choices.some((choice) => choice?.hasNameless)) {
      return this.fail(broken('calls a tool without a name'))
    }
    this.#isOver = true
    const stops = choices.map((choice) => choice?.close())
    stops.forEach((stop, choice) => stop && this.#emit({ type: 'stop', choice, stop }))
    this.#emit({ type: 'finish', usage: this.#usage })
  }

  fail(failure: ErrorEvent): void {
    this.#isOver = true
    this.#emit(failure)
  }

  #start(reply: JsonObject): void {
    this.#hasStarted = true
    this.#origin = originOf(this.#request, stringAt(reply, 'id'))
    this.#emit({ type: 'start', ...headOf(reply) })
  }

  #readChoice(choice: JsonObject, position: number): void {
    const failure = failureOfChoice(choice)
    if (failure) return this.fail(failure)
    const index = numberAt(choice, 'index') ?? position
    if (!Number.isInteger(index) || index < 0 || index >= this.#most) return
    const reader = (this.#choices[index] ??= new ChoiceReader(this.#parts, index, this.#names))
    this.#latest = reader
    reader.read(choice, this.#origin)
  }
}

function broken(what: string): ErrorEvent {
  return { type: 'error', message: `The upstream's reply ${what}.`, status: 502 }
}

/** What a reply says of itself. */
function headOf(reply: JsonObject): Omit<StartEvent, 'type'> {
  const id = stringAt(reply, 'id')
  const model = stringAt(reply, 'model')
  const serviceTier = stringAt(reply, 'service_tier')
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(serviceTier && { serviceTier }),
  }
}
