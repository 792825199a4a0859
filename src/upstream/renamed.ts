import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Target } from '../contract/operation.ts'
import type { Renamed } from '../contract/relocation.ts'
import { fillPath } from '../kit/account-path.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { smallJson } from '../lib/json/measure.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'
import { ObserverAround } from './observer-around.ts'
import { addPlace } from './places.ts'

/** The plan of a native attempt, which reads its reply without a signal. */
export interface NativePlan extends AttemptPlan {
  read(json: unknown, received?: Buffer): MaybePromise<ReadReply>
}

/** The edits that put the account's id of a resource in the place of the client's one. */
export function idEdits({ call }: Routed, { id, upstreamId }: Renamed): ByteEdit[] {
  return call.refersTo.flatMap((one) =>
    one.id === id && one.at ? [{ ...one.at, text: JSON.stringify(upstreamId) }] : [],
  )
}

/** The target with the account's id of a resource in its path. */
export function renamePath(target: Target, { id, upstreamId }: Renamed): Target {
  const segment = fillPath('{id}', { id })
  const renamed = fillPath('{id}', { id: upstreamId })
  const path = target.path
    .split('/')
    .map((one) => (one === segment ? renamed : one))
    .join('/')
  return { ...target, path }
}

/** The plan whose reply names the resource by the client's id. */
export function withClientIds(
  plan: NativePlan,
  renamed: Renamed,
  framing: Framing,
  keyId: string,
): AttemptPlan {
  return {
    ...plan,
    observer: () => new IdRenamingObserver(plan.observer(), renamed, framing),
    read(json, received) {
      const shown = received && withClientId(received, renamed)
      if (!shown || shown === received) return plan.read(json, received)
      const readShown = (json: unknown): MaybePromise<ReadReply> => {
        const read = plan.read(json, shown)
        const withShown = (reply: ReadReply): ReadReply => ({ body: shown, ...reply })
        return isThenable(read) ? read.then(withShown) : withShown(read)
      }
      const readAgain = () => readShown(JSON.parse(shown.toString()))
      return shown.length > smallJson ? nextTurn(keyId).then(readAgain) : readAgain()
    },
  }
}

/**
 * The bytes with the client's id in place of the account's; the same buffer if they do not have it. Throws
 * `TooMuchJson` where they have it too often.
 */
function withClientId(bytes: Buffer, { id, upstreamId }: Renamed): Buffer {
  const token = JSON.stringify(upstreamId)
  const text = JSON.stringify(id)
  const edits: ByteEdit[] = []
  for (let at = bytes.indexOf(token); at >= 0; at = bytes.indexOf(token, at + token.length)) {
    addPlace(edits, { start: at, end: at + token.length, text })
  }
  return applyEdits(bytes, edits)
}

/** Renames the resource in each frame before the observer reads it. */
class IdRenamingObserver extends ObserverAround {
  readonly #renamed: Renamed
  readonly #framing: Framing

  constructor(inner: Observer, renamed: Renamed, framing: Framing) {
    super(inner)
    this.#renamed = renamed
    this.#framing = framing
  }

  observe(frames: Buffer): Observation {
    const shown = this.#show(frames)
    const observation = this.inner.observe(shown)
    const isChanged = shown !== frames && !observation.bytes
    return isChanged ? { ...observation, bytes: shown } : observation
  }

  #show(frames: Buffer): Buffer {
    if (!this.#names(frames)) return frames
    return changeData(this.#framing, frames, (data) => withClientId(data, this.#renamed))
  }

  #names(frames: Buffer): boolean {
    return frames.includes(JSON.stringify(this.#renamed.upstreamId))
  }
}
