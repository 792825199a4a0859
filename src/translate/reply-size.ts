import { GatewayError } from '../contract/errors.ts'
import type { ReplyWeights } from '../contract/codec.ts'
import type { DeltaEvent, GenerateEvent } from '../generate/events.ts'
import type { TokenLogprob } from '../generate/content.ts'

/** What a part, a citation and the probability of a token take besides their texts, in bytes. */
const partBytes = 2_048
const citationBytes = 512
const logprobBytes = 48
const bytesOfByte = 4

/** The gateway collects the arguments of a call, parses them as a whole and serialises the result. */
const weightOfCall = 5

/** The largest JSON reply that is translated, in bytes: its translation takes one turn of the event loop. */
const mostTranslatedBytes = 32 * 1024 * 1024

/** Throws `GatewayError` for a whole reply that is too large to be translated. */
export function assertTranslatable({ length }: Buffer): void {
  if (length > mostTranslatedBytes) throw tooLarge()
}

const once: ReplyWeights = { text: 1, media: 1 }

/**
 * The size of what the gateway may hold of a translated stream, in bytes, and its bound. Decoders, mappers
 * and encoders all collect texts; the size counts as if one did with every text.
 */
export class ReplySize {
  readonly #most: number
  readonly #weights: ReplyWeights
  /** The indexes of the calls. */
  readonly #calls = new Set<number>()
  #bytes = 0

  /** `most`: the bound, in bytes. `weights`: the weights of the client's encoder. */
  constructor(most: number, weights: ReplyWeights = once) {
    this.#most = most
    this.#weights = weights
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Counts what the account's decoder emits. Throws `GatewayError` beyond the bound. */
  add(event: GenerateEvent): void {
    const bytes = this.#sizeOf(event)
    if (bytes > 0) this.#grow(this.#bytes + bytes)
  }

  /**
   * Counts an event of the account, after its decoder has emitted what it has of it. `before` is the size
   * before. A decoder may hold the event and emit nothing, so that half of it counts at least: most of an
   * event with a short text is names. Throws `GatewayError` beyond the bound.
   */
  addEvent(length: number, before: number): void {
    const least = before + length / 2
    if (least > this.#bytes) this.#grow(least)
  }

  #grow(bytes: number): void {
    this.#bytes = bytes
    if (bytes > this.#most) throw tooLarge()
  }

  #sizeOf(event: GenerateEvent): number {
    switch (event.type) {
      case 'delta':
        return this.#sizeOfDelta(event)
      case 'part': {
        const { part, index } = event
        if (part.type === 'tool_call') this.#calls.add(index)
        const isMedia = part.type === 'image' || part.type === 'audio'
        return partBytes + (isMedia ? part.base64.length * this.#weights.media : 0)
      }
      case 'signature':
        return event.signature.value.length * this.#weights.text
      case 'citation':
        return citationBytes
      default:
        return 0
    }
  }

  #sizeOfDelta({ index, text, logprobs }: DeltaEvent): number {
    const { text: weight } = this.#weights
    const isCall = this.#calls.has(index)
    // A text that is written in one turn counts as it is written: escapes take up to six times as much.
    const isTooLong = this.#bytes + text.length * weight > this.#most
    const size = weight > 1 && !isTooLong ? Buffer.byteLength(JSON.stringify(text)) : text.length
    const all = logprobs ? size + sizeOfLogprobs(logprobs) : size
    return all * (isCall ? Math.max(weight, weightOfCall) : weight)
  }
}

function tooLarge(): GatewayError {
  return new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
}

function sizeOfLogprobs(logprobs: readonly TokenLogprob[]): number {
  let size = 0
  for (const logprob of logprobs) {
    size += sizeOfLogprob(logprob)
    for (const other of logprob.top) size += sizeOfLogprob(other)
  }
  return size
}

function sizeOfLogprob({ token, bytes }: Omit<TokenLogprob, 'top'>): number {
  return logprobBytes + token.length + bytesOfByte * (bytes?.length ?? 0)
}
