import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Observation } from '../../../src/contract/observer.ts'
import { googleErrorFormat as generateError } from '../shared/google-error.ts'
import { GenerateObserver } from './observer.ts'
import { dataOfFrames } from './plain-frames.ts'

/** One JSON array that grows: how a stream is framed for clients that did not ask for events. */
export class ArrayFraming {
  #begun = false

  /** The same JSON texts, as elements. */
  elements(frames: Buffer): Buffer {
    return Buffer.from(
      dataOfFrames(frames)
        .map((text) => this.#separator() + text)
        .join(''),
    )
  }

  close(): Buffer {
    return Buffer.from(this.#begun ? ']' : '[]')
  }

  /** An error as the last element of an array that stays open: no parser takes it for complete. */
  broken(error: unknown): Buffer {
    return Buffer.from(this.#separator() + JSON.stringify(error))
  }

  #separator(): string {
    const separator = this.#begun ? ',\n' : '['
    this.#begun = true
    return separator
  }
}

/** White space is allowed between the elements of an array. */
const keepAlive = Buffer.from('\n')

/** The same stream for a client that gets it as one JSON array. */
export class ArrayObserver extends GenerateObserver {
  override readonly contentType = 'application/json; charset=utf-8'
  readonly #framing = new ArrayFraming()

  protected override encode(frames: Buffer): Buffer {
    return this.#framing.elements(frames)
  }

  override end(): Observation {
    const observation = super.end()
    if (observation.phase !== 'terminal') return observation
    return { ...observation, bytes: this.#framing.close() }
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'reset' } {
    return { bytes: this.#framing.broken(generateError(error).body), ending: 'reset' }
  }

  override keepAlive(): Buffer {
    return keepAlive
  }
}
