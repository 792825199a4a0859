import type { OtherForm } from '../../../src/contract/attempt.ts'
import type { Observation, Observer } from '../../../src/contract/observer.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import type { AudioObserver } from './observer.ts'
import { textOutcome, transcriptionOutcome } from './outcome.ts'

/** Gives a client that waits for events the whole transcription of an account as the event that completes a stream. */
export class DocumentInPlaceOfEvents implements OtherForm {
  readonly #observer: AudioObserver

  constructor(observer: AudioObserver) {
    this.#observer = observer
  }

  observe(json: JsonObject): Promise<Observer> {
    const { text, languages, logprobs, usage } = json
    const done = { type: 'transcript.text.done', text, languages, logprobs, usage }
    return Promise.resolve(this.#ending(done, transcriptionOutcome(json)))
  }

  observeText(received: Buffer): Observer {
    const done = { type: 'transcript.text.done', text: received.toString() }
    return this.#ending(done, textOutcome(received))
  }

  #ending(done: object, outcome: Outcome): Observer {
    const observer = this.#observer
    const { error } = outcome
    const end = (): Observation =>
      error
        ? { phase: 'failed', outcome, error }
        : { phase: 'terminal', outcome, bytes: Buffer.from(formatFrame(undefined, done)) }
    return {
      contentType: observer.contentType,
      observe: (frames) => observer.observe(frames),
      end,
      fail: (failure) => observer.fail(failure),
      keepAlive: () => observer.keepAlive(),
    }
  }
}
