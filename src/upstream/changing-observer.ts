import { GatewayError } from '../contract/errors.ts'
import type { FrameEncoder, Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Outcome, Produced } from '../contract/outcome.ts'
import { failedObservation } from '../kit/broken-stream.ts'
import { frameUndecoded, readUndecoded } from '../kit/framing/undecoded.ts'
import type { Work } from '../lib/turns.ts'
import { defect } from './failure.ts'

/** Changes whole frames. Returns the same buffer if there is nothing to change. */
export type FrameChange = (frames: Buffer) => Buffer

/** How a client's stream differs from the account's native stream. */
interface StreamChanges {
  /** The framing of the account's stream. */
  readonly from: Framing
  /** The framing of the client's stream. */
  readonly to: Framing
  /** Change the account's frames, one after another, before the observer reads them. */
  readonly changes: readonly FrameChange[]
  /** The model that the account has reported: outcomes keep this name, also where the client reads another one. */
  reportedModel?(): string | undefined
}

/** The observer of a native stream that reaches its client with other names, or in another framing. */
export class ChangingObserver implements Observer {
  readonly #inner: Observer
  readonly #changes: StreamChanges
  /** Absent if the client has the account's framing. */
  readonly #encoder: FrameEncoder | undefined
  #prepared: Buffer | undefined

  constructor(inner: Observer, changes: StreamChanges) {
    this.#inner = inner
    this.#changes = changes
    this.#encoder = changes.from === changes.to ? undefined : changes.to.encode()
  }

  get contentType(): string {
    return this.#encoder ? this.#changes.to.contentType : this.#inner.contentType
  }

  get completeness(): Observer['completeness'] {
    return this.#inner.completeness
  }

  get usage(): Observer['usage'] {
    return this.#inner.usage
  }

  get outputTokens(): Observer['outputTokens'] {
    return this.#inner.outputTokens
  }

  get discloses(): Observer['discloses'] {
    return this.#inner.discloses
  }

  get size(): number {
    return this.#inner.size ?? 0
  }

  get isWaiting(): boolean {
    return this.#inner.isWaiting ?? false
  }

  *prepare(frames: Buffer): Work<Buffer> {
    const changed = this.#change(frames)
    yield
    const inner = this.#inner.prepare?.(changed)
    return (this.#prepared = inner ? yield* inner : changed)
  }

  #change(frames: Buffer): Buffer {
    return this.#changes.changes.reduce((bytes, change) => change(bytes), frames)
  }

  observe(frames: Buffer): Observation {
    const changed = frames === this.#prepared ? frames : this.#change(frames)
    this.#prepared = undefined
    const observation = this.#inner.observe(changed)
    const passing = observation.phase === 'failed' ? undefined : changed
    return this.#forClient(observation, observation.bytes ?? passing)
  }

  end(): Observation {
    const observation = this.#inner.end()
    return this.#forClient(observation, observation.bytes)
  }

  later(): Promise<Observation> | undefined {
    return this.#inner
      .later?.()
      ?.then((observation) => this.#forClient(observation, observation.bytes))
      .catch((error: unknown) =>
        failedObservation(GatewayError.isInstance(error) ? error : defect(error)),
      )
  }

  cancel(): void {
    this.#inner.cancel?.()
  }

  /** A stream without the frame that ends it is cut off by a reset, as clients notice it then. */
  fail(error: Parameters<Observer['fail']>[0]): ReturnType<Observer['fail']> {
    const tail = this.#inner.fail(error)
    if (!this.#encoder) return tail
    const bytes = this.#reframe(tail.bytes, this.#encoder, true)
    return { bytes, ending: this.#changes.to.hasEnd ? 'reset' : tail.ending }
  }

  keepAlive(): Buffer {
    return this.#encoder ? Buffer.from(this.#changes.to.keepAlive ?? '') : this.#inner.keepAlive()
  }

  #forClient(observation: Observation, bytes: Buffer | undefined): Observation {
    const { announced, outcome, phase } = observation
    const encoder = this.#encoder
    let framed = bytes && encoder ? this.#reframe(bytes, encoder) : bytes
    if (encoder && phase === 'terminal') {
      framed = Buffer.concat([framed ?? Buffer.alloc(0), Buffer.from(encoder.end())])
    }
    return {
      ...observation,
      ...(framed && { bytes: framed }),
      ...(announced && { announced: this.#asReported(announced) }),
      ...(outcome && { outcome: this.#withReported(outcome) }),
    }
  }

  #withReported(outcome: Outcome): Outcome {
    const { produced } = outcome
    return produced ? { ...outcome, produced: this.#asReported(produced) } : outcome
  }

  #asReported(produced: Produced): Produced {
    return { ...produced, model: this.#changes.reportedModel?.() ?? produced.model }
  }

  #reframe(frames: Buffer, encoder: FrameEncoder, isFailure = false): Buffer {
    const { from } = this.#changes
    const framed: Buffer[] = []
    for (let start = 0; start < frames.length;) {
      const end = from.frameEnd(frames, start)
      const { name, data, isError = isFailure } = readUndecoded(from, frames.subarray(start, end))
      start = end
      // The mark that ends some streams of events is no JSON.
      if (!data || data.equals(done)) continue
      framed.push(...frameUndecoded(encoder, { name, data, isError }))
    }
    // To copy a single frame would take as long as all else.
    return framed.length === 1 ? framed[0]! : Buffer.concat(framed)
  }
}

const done = Buffer.from('[DONE]')
