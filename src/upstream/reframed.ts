import type { FrameEncoder, Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import { frameUndecoded, readUndecoded } from '../kit/framing/undecoded.ts'
import { ObserverAround } from './observer-around.ts'

/** Frames a native stream for a client whose framing is not that of the account. */
export class ReframingObserver extends ObserverAround {
  readonly #from: Framing
  readonly #to: Framing
  readonly #encoder: FrameEncoder

  constructor(inner: Observer, from: Framing, to: Framing) {
    super(inner)
    this.#from = from
    this.#to = to
    this.#encoder = to.encode()
  }

  override get contentType(): string {
    return this.#to.contentType
  }

  observe(frames: Buffer): Observation {
    const observation = this.inner.observe(frames)
    const passing = observation.bytes ?? (observation.phase === 'failed' ? undefined : frames)
    return this.#ended({ ...observation, ...(passing && { bytes: this.#reframe(passing) }) })
  }

  protected override changed(observation: Observation): Observation {
    const { bytes } = observation
    return this.#ended({ ...observation, ...(bytes && { bytes: this.#reframe(bytes) }) })
  }

  /** A stream without the frame that ends it is cut off by a reset, as clients notice it then. */
  override fail(error: Parameters<Observer['fail']>[0]): ReturnType<Observer['fail']> {
    const { bytes, ending } = this.inner.fail(error)
    return { bytes: this.#reframe(bytes, true), ending: this.#to.hasEnd ? 'reset' : ending }
  }

  override keepAlive(): Buffer {
    return Buffer.from(this.#to.keepAlive ?? '')
  }

  #ended(observation: Observation): Observation {
    if (observation.phase !== 'terminal') return observation
    const { bytes = Buffer.alloc(0) } = observation
    return { ...observation, bytes: Buffer.concat([bytes, Buffer.from(this.#encoder.end())]) }
  }

  #reframe(frames: Buffer, isFailure = false): Buffer {
    const framed: Buffer[] = []
    for (let start = 0; start < frames.length;) {
      const end = this.#from.frameEnd(frames, start)
      const event = readUndecoded(this.#from, frames.subarray(start, end))
      start = end
      const { name, data, isError = isFailure } = event
      // The mark that ends some streams of events is no JSON.
      if (!data || data.equals(done)) continue
      framed.push(...frameUndecoded(this.#encoder, { name, data, isError }))
    }
    return joined(framed)
  }
}

const done = Buffer.from('[DONE]')

/** To copy a single frame would take as long as all else. */
function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}
