import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Stop } from '../../../../../src/generate/result.ts'
import { objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { isEmpty } from '../../../../../src/kit/upstream-error.ts'
import { TextParts, readContentParts } from './text-parts.ts'
import { readDataUrl } from '../../../../../src/generate/data-url.ts'
import { CallReader } from './decode-calls.ts'
import { readLogprobs } from '../logprobs.ts'
import type { PartEmitter } from './part-emitter.ts'
import { readStop } from '../stop.ts'
import { isKnownEnd } from './failure.ts'
import { ThinkTags } from './think-tags.ts'
import type { ToolNames } from '../../../../../src/generate/names.ts'

/** Reads one choice from its deltas, or from its complete message. */
export class ChoiceReader {
  readonly #parts: PartEmitter
  readonly #choice: number
  readonly #texts: TextParts
  readonly #calls: CallReader
  /** Present where the text of answers has thoughts. */
  readonly #tags: ThinkTags | undefined
  #finishReason: string | undefined
  #hasDeltas = false

  constructor(parts: PartEmitter, choice: number, names: ToolNames, thinksInText: boolean) {
    this.#parts = parts
    this.#choice = choice
    this.#texts = new TextParts(parts, choice)
    this.#calls = new CallReader(parts, choice, names)
    if (thinksInText) this.#tags = new ThinkTags(this.#texts)
  }

  get isFinished(): boolean {
    return this.#finishReason !== undefined
  }

  /** The `finish_reason` of a choice without an answer, if the codec does not know the reason. */
  get reasonOfNothing(): string | undefined {
    const reason = this.#finishReason
    if (reason === undefined || isKnownEnd(reason) || this.#parts.isAnswered(this.#choice))
      return undefined
    return reason
  }

  /** Whether the choice has a tool call without a name. */
  get hasNameless(): boolean {
    return this.#calls.hasNameless
  }

  /** Reads a chunk's choice, or a complete one. `replyId` derives the ids of calls without one. */
  read(choice: JsonObject, replyId: string): void {
    const { delta, message, finish_reason: reason } = choice
    if (choice.logprobs) this.#texts.addLogprobs(readLogprobs(choice))
    if (isObject(delta)) {
      this.#hasDeltas = true
      this.#readMessage(delta, false, replyId)
    } else if (isObject(message) && !this.#hasDeltas) this.#readMessage(message, true, replyId)
    if (typeof reason === 'string' && reason !== '') this.#finishReason ??= reason
  }

  /** Ends the open parts and returns why the choice stopped. */
  close(): Stop {
    this.#tags?.end()
    this.#texts.end()
    if (this.#calls.hasCalls) this.#calls.signLast(this.#texts.takeDetails())
    else this.#texts.endDetails()
    this.#calls.end()
    const contents = { hasCalls: this.#calls.hasCalls, hasRefusal: this.#texts.hasRefusal }
    return readStop(this.#finishReason, contents)
  }

  #readMessage(message: JsonObject, isWhole: boolean, replyId: string): void {
    const texts = this.#texts
    const { content, refusal, reasoning_content: thought, reasoning } = message
    if (typeof thought === 'string' && thought !== '') texts.append('reasoning_content', thought)
    else if (typeof reasoning === 'string' && reasoning !== '') texts.append('reasoning', reasoning)
    if (message.reasoning_details) texts.addDetails(message.reasoning_details, isWhole)
    if (typeof content === 'string') {
      if (content !== '') this.#readText(content)
    } else if (content) readContentParts(content, texts)
    if (message.audio) this.#readAudio(message)
    if (message.annotations) texts.cite(message.annotations)
    if (typeof refusal === 'string' && refusal !== '') texts.append('refusal', refusal)
    if (message.images) this.#readImages(message.images)
    if (message.tool_calls) this.#readCalls(message.tool_calls, isWhole, replyId)
    if (!isEmpty(message.function_call))
      this.#readLegacyCall(message.function_call, isWhole, replyId)
  }

  #readText(text: string): void {
    if (this.#tags) this.#tags.add(text)
    else this.#texts.append('content', text)
  }

  #readCalls(list: unknown, areWhole: boolean, replyId: string): void {
    if (!Array.isArray(list) || list.length === 0) return
    this.#tags?.end()
    this.#texts.end()
    if (!this.#calls.hasCalls) this.#texts.endDetails()
    this.#calls.read(list, areWhole, replyId)
  }

  /** A choice has one `function_call` at most, without an index and an id. */
  #readLegacyCall(call: unknown, isWhole: boolean, replyId: string): void {
    this.#readCalls([{ index: -1, function: call }], isWhole, replyId)
  }

  /** Reads the transcript of spoken output. */
  #readAudio(message: JsonObject): void {
    const transcript = stringAt(message.audio, 'transcript')
    if (transcript) this.#texts.append('content', transcript)
  }

  /** Reads `images`, an extension of providers whose models generate images. */
  #readImages(images: unknown): void {
    for (const image of objectsIn(images)) {
      const data = readDataUrl(stringAt(objectAt(image, 'image_url'), 'url') ?? '')
      if (!data) continue
      this.#texts.end()
      const { mediaType = 'image/png', base64 } = data
      this.#parts.end(this.#parts.begin(this.#choice, { type: 'image', mediaType, base64 }))
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}
