import type { Observation } from '../../../src/dialect.ts'
import type { GatewayError } from '../../../src/errors.ts'
import { ArrayFraming } from './array-framing.ts'
import { generateError } from './errors.ts'
import { GenerateObserver } from './observer.ts'

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
