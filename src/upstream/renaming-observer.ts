import type { Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Produced } from '../contract/outcome.ts'
import { onceAhead } from '../kit/once-ahead.ts'
import type { ModelRenamer } from './rename-model.ts'

/**
 * Replaces the name of the model in a native stream before `observer` reads it. The outcome keeps the
 * name that the account reported.
 */
export function renamingObserver(
  observer: Observer,
  renamer: ModelRenamer,
  framing: Framing,
): Observer {
  const asReported = (produced: Produced): Produced => {
    return { ...produced, model: renamer.reported ?? produced.model }
  }

  function restore(observation: Observation): Observation {
    const { announced, outcome } = observation
    if (!announced && !outcome?.produced) return observation
    return {
      ...observation,
      ...(announced && { announced: asReported(announced) }),
      ...(outcome?.produced && {
        outcome: { ...outcome, produced: asReported(outcome.produced) },
      }),
    }
  }

  const renamedFrames = onceAhead(
    (frames) => renamer.inFrames(frames, framing),
    (frames, signal) => renamer.inFramesInTurns(frames, framing, signal),
  )

  return {
    contentType: observer.contentType,
    async prepare(frames, signal) {
      const renamed = await renamedFrames.ahead(frames, signal)
      await observer.prepare?.(renamed, signal)
    },
    observe(frames) {
      const renamed = renamedFrames.take(frames)
      const observation = restore(observer.observe(renamed))
      if (observation.phase === 'failed') return observation
      return { bytes: renamed, ...observation }
    },
    end: () => restore(observer.end()),
    fail: (error) => observer.fail(error),
    keepAlive: () => observer.keepAlive(),
    get completeness() {
      return observer.completeness
    },
  }
}
