import {
  errorUnless,
  hasAnyWithoutError,
  isEmpty,
  isFilledList,
} from '../../../../../src/kit/upstream-error.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import type { Completeness, EventDecoder } from '../../../../../src/contract/codec.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import { failureOf, unusableAnswer } from '../../../../../src/kit/codec/failure.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { CandidateReader } from './read-candidate.ts'
import type { ReplyState } from './read-texts.ts'
import { statusOfGoogleError } from '../../../shared/google-error.ts'
import { originOf } from '../../../../../src/generate/call-ids.ts'
import { DeclaredToolNames } from '../tool-names.ts'
import { UsageReader } from '../usage.ts'

const ownMembers = ['candidates', 'promptFeedback', 'usageMetadata']

/** Whether a body is generated content or a chunk of it. */
export function isGenerateBody(body: JsonObject): boolean {
  const { candidates, promptFeedback, usageMetadata } = body
  if (isFilledList(candidates) || !isEmpty(promptFeedback) || !isEmpty(usageMetadata)) return true
  return hasAnyWithoutError(body, ownMembers)
}

/**
 * Decodes the chunks of a reply; a complete reply is a single chunk. It emits stops only at the end,
 * because no event marks the end of a stream and some accounts send a `finishReason` in each chunk.
 */
export class ReplyReader implements EventDecoder {
  readonly #emit: (event: GenerateEvent) => void
  readonly #state: ReplyState
  readonly #maxCandidates: number
  readonly #mustFinish: boolean
  readonly #candidates: CandidateReader[] = []
  readonly #usage = new UsageReader()
  #hasStarted = false
  #isOver = false
  #blocked: { reason: string; message: string | undefined } | undefined

  /** With `mustFinish`, a candidate without `finishReason` is not complete. */
  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void, mustFinish: boolean) {
    this.#emit = emit
    this.#mustFinish = mustFinish
    this.#maxCandidates = request.candidates ?? 1
    this.#state = {
      emit,
      next: 0,
      origin: originOf(request),
      turns: request.turns.length,
      names: new DeclaredToolNames(request.tools),
    }
  }

  get usage(): GenerateUsage {
    return this.#usage.usage
  }

  /** Whether a call lacks its end, so that the reply is not complete. */
  get isCut(): boolean {
    return this.#candidates.some(({ isCut }) => isCut)
  }

  decode(chunk: JsonObject): void {
    if (this.#isOver) return
    const error = errorUnless(isGenerateBody, chunk)
    if (error) return this.#fail(error)
    this.#start(chunk)
    this.#usage.read(chunk)
    this.#noteBlocked(chunk.promptFeedback)
    const candidates: unknown = chunk.candidates
    if (!Array.isArray(candidates)) return
    for (let position = 0; position < candidates.length; position++) {
      const candidate: unknown = candidates[position]
      if (typeof candidate !== 'object' || candidate === null) continue
      const json = candidate as JsonObject
      this.#reader(json.index, position)?.read(json)
    }
  }

  done(): void {}

  end(): void {
    if (this.#isOver || !this.#isComplete()) return
    this.#isOver = true
    const candidates = this.#candidates
    if (candidates.length === 0) this.#emitBlocked()
    else if (!this.#blocked && candidates.every(({ isUnusable }) => isUnusable)) {
      return this.#emitUnusable()
    } else for (const candidate of candidates) candidate.end(this.#blocked?.reason)
    this.#emit({ type: 'finish', usage: this.#usage.usage })
  }

  /** A stream with a finish reason in each chunk may continue after any of them: only `likely`. */
  get completeness(): Completeness | undefined {
    if (this.#blocked) return 'certain'
    const candidates = this.#candidates
    if (candidates.length < this.#maxCandidates || !this.#isComplete()) return undefined
    return candidates.every(({ hasContinued }) => hasContinued) ? 'certain' : 'likely'
  }

  #start(chunk: JsonObject): void {
    if (this.#hasStarted || Object.keys(chunk).length === 0) return
    this.#hasStarted = true
    const id = stringAt(chunk, 'responseId')
    const serviceTier = stringAt(chunk.usageMetadata, 'serviceTier')
    this.#state.origin += id ?? ''
    this.#emit({
      type: 'start',
      ...defined({ id, model: stringAt(chunk, 'modelVersion'), serviceTier }),
    })
  }

  #noteBlocked(feedback: unknown): void {
    const reason = feedback === undefined ? undefined : stringAt(feedback, 'blockReason')
    if (!reason) return
    this.#blocked = { reason, message: stringAt(feedback, 'blockReasonMessage') }
  }

  /**
   * Returns the reader of a candidate. Candidates are numbered without gaps, also if an account's
   * indexes have some. Candidates beyond the requested number are ignored.
   */
  #reader(index: unknown, position: number): CandidateReader | undefined {
    const isValid = Number.isInteger(index) && (index as number) >= 0
    const preferred = isValid ? (index as number) : position
    const choice = preferred < this.#maxCandidates ? preferred : position
    if (choice >= this.#maxCandidates) return undefined
    const existing = this.#candidates[choice]
    if (existing) return existing
    while (this.#candidates.length <= choice) {
      this.#candidates.push(new CandidateReader(this.#candidates.length, this.#state))
    }
    return this.#candidates[choice]!
  }

  #isComplete(): boolean {
    if (this.#blocked) return true
    if (this.#candidates.length === 0) return false
    return this.#candidates.every(
      ({ isFinished, hasContent, isCut }) =>
        (isFinished || (!this.#mustFinish && hasContent)) && !isCut,
    )
  }

  /** Emits a blocked prompt as a refusal. */
  #emitBlocked(): void {
    const { reason, message } = this.#blocked!
    const refusal = message || `The prompt was blocked: ${reason}.`
    this.#emit({ type: 'part', index: 0, choice: 0, part: { type: 'refusal' } })
    this.#emit({ type: 'delta', index: 0, text: refusal })
    this.#emit({ type: 'end', index: 0 })
    this.#emit({ type: 'stop', choice: 0, stop: { reason: 'filtered', raw: reason } })
  }

  #emitUnusable(): void {
    const [first] = this.#candidates
    this.#emit(unusableAnswer(first?.finishReason ?? '', first?.finishMessage))
  }

  #fail(error: JsonObject): void {
    this.#isOver = true
    this.#emit(failureOf(error, statusOfGoogleError(error)))
  }
}
