import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent, GenerateEvent, StartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { tierWordAt } from '../../../../../src/kit/usage.ts'
import { unusableAnswer } from '../../../../../src/kit/codec/failure.ts'
import { numberAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { ChoiceReader } from './decode-choice.ts'
import { failureOfChoice } from './failure.ts'
import { PartEmitter } from './part-emitter.ts'
import { originOf } from '../../../../../src/generate/call-ids.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { readUsage, usageIn } from '../usage.ts'

/**
 * Reads a reply, complete or in chunks, and emits its events. Both forms differ only in the name of the
 * message: `message` or `delta`.
 */
export class ReplyReader {
  readonly #emit: (event: GenerateEvent) => void
  readonly #parts: PartEmitter
  readonly #names: ToolNames
  /** The number of choices that the request asks for. */
  readonly #maxChoices: number
  readonly #choices: (ChoiceReader | undefined)[] = []
  readonly #request: GenerateRequest
  readonly #thinksInText: boolean
  /** Derives the ids of calls without one. */
  #origin = ''
  #hasStarted = false
  #isOver = false
  #usage: GenerateUsage = {}
  /** Not every chunk has it. */
  #tier: string | undefined

  constructor(
    request: GenerateRequest,
    emit: (event: GenerateEvent) => void,
    thinksInText = false,
  ) {
    this.#request = request
    this.#thinksInText = thinksInText
    this.#emit = emit
    this.#parts = new PartEmitter(emit)
    this.#names = new ToolNames(request.tools)
    this.#maxChoices = Math.max(request.candidates ?? 1, 1)
  }

  /** The counts so far. */
  get usage(): GenerateUsage {
    return this.#usage
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Reads a chunk, or a complete reply. */
  read(reply: JsonObject): void {
    const { choices } = reply
    const usage = usageIn(reply)
    this.#tier = tierWordAt(reply, 'service_tier') ?? this.#tier
    if (usage) this.#usage = readUsage(usage, this.#tier)
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

  /** Whether every choice that began has finished, and `least` choices or more have. */
  isFinished(least: number): boolean {
    const choices = this.#choices
    for (let index = 0; index < choices.length; index++) {
      if (!choices[index]?.isFinished) return false
    }
    return choices.length >= least
  }

  /**
   * Whether `[DONE]` completes the reply: where every choice has its finish reason, or none has one and there is an
   * answer. Some servers never send reasons.
   */
  get mayEnd(): boolean {
    if (this.isFinished(1)) return true
    return this.#parts.hasBegun && !this.#choices.some((choice) => choice?.isFinished)
  }

  /** Whether all choices that the request asks for have finished. */
  get areAllFinished(): boolean {
    return this.isFinished(this.#maxChoices)
  }

  /** Ends the reply: emits the stop of each choice and the usage, or an error if it is incomplete. */
  finish(): void {
    const choices = this.#choices
    if (choices.includes(undefined))
      return this.fail(invalidReply("The upstream's reply lacks a choice."))
    if (choices.some((choice) => choice?.hasNameless)) {
      return this.fail(invalidReply('The upstream sent a function call without a name.'))
    }
    const reasons = choices.map((choice) => choice?.reasonOfNothing)
    const [reason] = reasons
    if (reason !== undefined && !reasons.includes(undefined))
      return this.fail(unusableAnswer(reason))
    this.#isOver = true
    const stops = choices.map((choice) => choice?.close())
    stops.forEach((stop, choice) => stop && this.#emit({ type: 'stop', choice, stop }))
    this.#emit({ type: 'finish', usage: this.#usage })
  }

  /** Ends the reply with an error. */
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
    if (!Number.isInteger(index) || index < 0 || index >= this.#maxChoices) return
    const reader = (this.#choices[index] ??= new ChoiceReader(
      this.#parts,
      index,
      this.#names,
      this.#thinksInText,
    ))
    reader.read(choice, this.#origin)
  }
}

function invalidReply(message: string): ErrorEvent {
  return { type: 'error', message, status: 502 }
}

/** Reads the id, model and service tier of a reply. */
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
