import type { Observation, Observer } from '../contract/observer.ts'

/** An observer of a native stream that changes its frames, before or behind `inner`. */
export abstract class ObserverAround implements Observer {
  protected readonly inner: Observer

  constructor(inner: Observer) {
    this.inner = inner
  }

  abstract observe(frames: Buffer): Observation

  /** Changes what `inner` returns without frames of its own. */
  protected changed(observation: Observation): Observation {
    return observation
  }

  get contentType(): string {
    return this.inner.contentType
  }

  get completeness(): Observer['completeness'] {
    return this.inner.completeness
  }

  get usage(): Observer['usage'] {
    return this.inner.usage
  }

  get discloses(): Observer['discloses'] {
    return this.inner.discloses
  }

  get size(): number {
    return this.inner.size ?? 0
  }

  get isWaiting(): boolean {
    return this.inner.isWaiting ?? false
  }

  end(): Observation {
    return this.changed(this.inner.end())
  }

  later(): Promise<Observation> | undefined {
    return this.inner.later?.()?.then((observation) => this.changed(observation))
  }

  cancel(): void {
    this.inner.cancel?.()
  }

  fail(error: Parameters<Observer['fail']>[0]): ReturnType<Observer['fail']> {
    return this.inner.fail(error)
  }

  keepAlive(): Buffer {
    return this.inner.keepAlive()
  }
}
