import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Observation } from '../../../src/contract/observer.ts'
import { googleErrorFormat as generateError } from '../shared/google-error.ts'
import { GenerateObserver } from './observer.ts'
import { dataOfFrames } from './plain-frames.ts'

/** Frames a stream as one JSON array, for clients that do not request server-sent events. */
class ArrayFraming {
  #begun = false

  /** Returns the JSON texts of the frames as elements of the array. */
  elements(frames: Buffer): Buffer {
    return Buffer.from(
      dataOfFrames(frames)
        .map((text) => this.#separator() + text)
        .join(''),
    )
  }

  /** Returns the end of the array. */
  close(): Buffer {
    return Buffer.from(this.#begun ? ']' : '[]')
  }

  /** Returns an error as the last element. The array stays open, so that no parser accepts it. */
  fail(error: unknown): Buffer {
    return Buffer.from(this.#separator() + JSON.stringify(error))
  }

  #separator(): string {
    const separator = this.#begun ? ',\n' : '['
    this.#begun = true
    return separator
  }
}

/** White space is valid between the elements of an array. */
const keepAlive = Buffer.from('\n')

/** Observes a native stream for a client that reads it as one JSON array. */
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
    return { bytes: this.#framing.fail(generateError(error).body), ending: 'reset' }
  }

  override keepAlive(): Buffer {
    return keepAlive
  }
}
