import type { Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Produced } from '../contract/outcome.ts'
import { ObserverAround } from './observer-around.ts'
import type { ModelRenamer } from './rename-model.ts'

/**
 * Replaces the name of the model in a native stream before `inner` reads it. The outcome keeps the
 * name that the account reported.
 */
export class ModelRenamingObserver extends ObserverAround {
  readonly #renamer: ModelRenamer
  readonly #framing: Framing

  constructor(inner: Observer, renamer: ModelRenamer, framing: Framing) {
    super(inner)
    this.#renamer = renamer
    this.#framing = framing
  }

  observe(frames: Buffer): Observation {
    const renamed = this.#renamer.inFrames(frames, this.#framing)
    const observation = this.changed(this.inner.observe(renamed))
    if (observation.phase === 'failed') return observation
    return { bytes: renamed, ...observation }
  }

  protected override changed(observation: Observation): Observation {
    const { announced, outcome } = observation
    if (!announced && !outcome?.produced) return observation
    return {
      ...observation,
      ...(announced && { announced: this.#asReported(announced) }),
      ...(outcome?.produced && {
        outcome: { ...outcome, produced: this.#asReported(outcome.produced) },
      }),
    }
  }

  #asReported(produced: Produced): Produced {
    return { ...produced, model: this.#renamer.reported ?? produced.model }
  }
}
