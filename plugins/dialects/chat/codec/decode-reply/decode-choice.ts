import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Stop } from '../../../../../src/generate/result.ts'
import { objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { TextParts, readContentParts } from './text-parts.ts'
import { readDataUrl } from '../../../../../src/generate/data-url.ts'
import { CallReader } from './decode-calls.ts'
import { readLogprobs } from '../logprobs.ts'
import type { PartEmitter } from './part-emitter.ts'
import { readStop } from '../stop.ts'
import type { ToolNames } from '../../../../../src/generate/names.ts'

/** Reads one choice, from its deltas or from its whole message. */
export class ChoiceReader {
  readonly #parts: PartEmitter
  readonly #choice: number
  readonly #prose: TextParts
  readonly #calls: CallReader
  #finishReason: string | undefined
  #hasDeltas = false

  constructor(parts: PartEmitter, choice: number, names: ToolNames) {
    this.#parts = parts
    this.#choice = choice
    this.#prose = new TextParts(parts, choice)
    this.#calls = new CallReader(parts, choice, names)
  }

  get isFinished(): boolean {
    return this.#finishReason !== undefined
  }

  /** Whether it calls a tool without saying which. */
  get hasNameless(): boolean {
    return this.#calls.anyNameless
  }

  read(choice: JsonObject, replyId: string): void {
    const { delta, message, finish_reason: reason } = choice
    if (choice.logprobs) this.#prose.hold(readLogprobs(choice))
    if (isObject(delta)) {
      this.#hasDeltas = true
      this.#readSaid(delta, false, replyId)
    } else if (isObject(message) && !this.#hasDeltas) this.#readSaid(message, true, replyId)
    if (typeof reason === 'string' && reason !== '') this.#finishReason ??= reason
  }

  again(content: string): void {
    this.#prose.say('content', content)
  }

  /** Ends what is open. */
  close(): Stop {
    this.#prose.end()
    this.#calls.end()
    const contents = { hasCalls: this.#calls.any, hasRefusal: this.#prose.hasRefusal }
    return readStop(this.#finishReason, contents)
  }

  #readSaid(said: JsonObject, isWhole: boolean, replyId: string): void {
    const prose = this.#prose
    const { content, refusal, reasoning_content: thought, reasoning } = said
    if (typeof thought === 'string' && thought !== '') prose.say('reasoning_content', thought)
    else if (typeof reasoning === 'string' && reasoning !== '') prose.say('reasoning', reasoning)
    if (typeof content === 'string') {
      if (content !== '') prose.say('content', content)
    } else if (content) readContentParts(content, prose)
    if (said.audio) this.#readAudio(said)
    if (said.annotations) prose.cite(said.annotations)
    if (typeof refusal === 'string' && refusal !== '') prose.say('refusal', refusal)
    if (said.images) this.#readImages(said.images)
    if (said.tool_calls) this.#readCalls(said.tool_calls, isWhole, replyId)
    if (said.function_call) this.#readLegacyCall(said.function_call, isWhole, replyId)
  }

  #readCalls(list: unknown, areWhole: boolean, replyId: string): void {
    if (!Array.isArray(list) || list.length === 0) return
    this.#prose.end()
    this.#calls.read(list, areWhole, replyId)
  }

  /** There is one at most, and it has neither a number nor an id. */
  #readLegacyCall(called: unknown, isWhole: boolean, replyId: string): void {
    this.#readCalls([{ index: -1, function: called }], isWhole, replyId)
  }

  /** Of an answer that is spoken, its words. */
  #readAudio(said: JsonObject): void {
    const transcript = stringAt(said.audio, 'transcript')
    if (transcript) this.#prose.say('content', transcript)
  }

  /** As providers of models that draw send pictures. */
  #readImages(images: unknown): void {
    for (const image of objectsIn(images)) {
      const data = readDataUrl(stringAt(objectAt(image, 'image_url'), 'url') ?? '')
      if (!data) continue
      this.#prose.end()
      const { mediaType = 'image/png', base64 } = data
      this.#parts.end(this.#parts.begin(this.#choice, { type: 'image', mediaType, base64 }))
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}
