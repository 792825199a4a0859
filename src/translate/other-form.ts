import type { OtherForm, ReadReply } from '../contract/attempt.ts'
import type { EncodedResult, EventEncoder, GenerateCodec, ReplyContext } from '../contract/codec.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { TranslationServices } from '../contract/services.ts'
import { Collector } from '../generate/collect.ts'
import type { GenerateEvent } from '../generate/events.ts'
import { eventsOf } from '../generate/replay.ts'
import { endedEarly } from '../kit/broken-stream.ts'
import { sse } from '../kit/framing/sse.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { writeJson } from '../lib/json/write.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import { type Codecs, TranslatingObserver } from './observer.ts'
import { assertTranslatable } from './reply-size.ts'
import { type Translation, openTranslation } from './translation.ts'

/** Bytes of a collected stream that are read in one turn of the event loop. */
const bytesInTurn = 64 * 1024

/**
 * Reads replies in the other form through the codecs, for calls for text. On a native account the codec of the dialect
 * reads and writes them.
 */
export class OtherFormOfText implements OtherForm {
  readonly #exchange: Routed
  readonly #services: TranslationServices
  readonly #opened: Translation | undefined

  /** `opened`: the translation of the attempt. Absent: it is native. */
  constructor(exchange: Routed, services: TranslationServices, opened?: Translation) {
    this.#exchange = exchange
    this.#services = services
    this.#opened = opened
  }

  async observe(json: JsonObject, received: Buffer): Promise<Observer> {
    assertTranslatable(received)
    const translation = await this.#open()
    const observer = this.#observerFor(translation, replayed(translation))
    observer.whole(json)
    return observer
  }

  async collect(events: Buffer, signal: () => AbortSignal): Promise<ReadReply> {
    assertTranslatable(events)
    const translation = await this.#open()
    const document = new DocumentEncoder(translation)
    const observer = this.#observerFor(translation, { encodeEvents: () => document })
    signal().addEventListener('abort', () => observer.cancel(), { once: true })
    const found =
      (await this.#lastOf(observer, events)) ?? (await settled(observer, observer.end()))
    const { phase, error, outcome } = found ?? endedEarly()
    if (phase === 'terminal' && outcome) return { outcome, body: await this.#write(document) }
    if (outcome) return { outcome, failedHere: true }
    throw error
  }

  async #write({ reply }: DocumentEncoder): Promise<Buffer> {
    const owner = this.#exchange.caller.keyId
    const body = await runInTurns(writeJson(reply), { owner })
    // The caller looks at all of the document.
    if (body.length > bytesInTurn) await nextTurn(owner)
    return body
  }

  /** The observation that ends the reply; `undefined` for a reply that its events do not end. */
  async #lastOf(observer: TranslatingObserver, events: Buffer): Promise<Observation | undefined> {
    const joiner = sse.join()
    for (let at = 0; at < events.length; at += bytesInTurn) {
      if (at > 0) await nextTurn(this.#exchange.caller.keyId)
      const frames = joiner.feed(events.subarray(at, at + bytesInTurn))
      const last = frames && (await settled(observer, observer.observe(frames)))
      if (last) return last
    }
    const frame = joiner.end()
    if (frame && frame.length > bytesInTurn) await nextTurn(this.#exchange.caller.keyId)
    return frame && settled(observer, observer.observe(frame))
  }

  #observerFor(translation: Translation, codecs: Codecs): TranslatingObserver {
    return new TranslatingObserver(translation, this.#exchange.candidate, this.#services, codecs)
  }

  #open(): MaybePromise<Translation> {
    return this.#opened ?? this.#openNative()
  }

  /** A native request may be one that its dialect's codec refuses. */
  async #openNative(): Promise<Translation> {
    await this.#exchange.body.restoreJson?.()
    return openTranslation(this.#exchange, this.#services, [], true).catch((cause: unknown) => {
      const message = 'The upstream replied in a form that the request does not ask for.'
      throw new GatewayError('upstream_invalid_reply', message, { cause })
    })
  }
}

/** Waits until events pass. Resolves with the observation if it ends the reply. */
async function settled(
  observer: TranslatingObserver,
  first: Observation,
): Promise<Observation | undefined> {
  let found = first
  while (!isLast(found) && observer.isWaiting) found = (await observer.later()) ?? found
  return isLast(found) ? found : undefined
}

function isLast({ phase }: Observation): boolean {
  return phase === 'terminal' || phase === 'failed'
}

/** Reads a stream whose only event is a whole reply. */
function replayed({ account, request }: Translation): Codecs {
  return {
    decodeEvents: (emit) => ({
      decode(reply) {
        const result = account.decodeResult(reply, request)
        if ('type' in result) emit(result)
        else eventsOf(result).forEach(emit)
      },
    }),
  }
}

/** Encodes the events of a reply as one document: `reply`, complete after the last event. It writes no frames. */
class DocumentEncoder implements EventEncoder {
  readonly #codec: GenerateCodec
  readonly #context: ReplyContext
  readonly #collector = new Collector()
  #encoded: EncodedResult = { body: {}, id: '', items: [] }

  constructor({ client, context }: Translation) {
    this.#codec = client.codec
    this.#context = context
  }

  get id(): string {
    return this.#encoded.id
  }

  get items(): readonly string[] {
    return this.#encoded.items
  }

  get reply(): JsonObject {
    return this.#encoded.body
  }

  encode(event: GenerateEvent): void {
    this.#collector.collect(event)
    const { result } = this.#collector
    if (result) this.#encoded = this.#codec.encodeResult(result, this.#context)
  }

  /** An error is no part of a document. */
  fail(): 'end' {
    return 'end'
  }
}
