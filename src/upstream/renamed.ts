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
import { parseAgain } from '../lib/json/parse-pieces.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { changeInTurns } from './change-in-turns.ts'
import { onceAhead } from '../kit/once-ahead.ts'
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
    observer: () => new IdRenamingObserver(plan.observer(), renamed, framing, keyId),
    read(json, received) {
      const shown = received && withClientId(received, renamed)
      if (!shown || shown === received) return plan.read(json, received)
      const readShown = (json: unknown): MaybePromise<ReadReply> => {
        const read = plan.read(json, shown)
        const withShown = (reply: ReadReply): ReadReply => ({ body: shown, ...reply })
        return isThenable(read) ? read.then(withShown) : withShown(read)
      }
      return shown.length > smallJson
        ? parseAgain(shown, keyId).then(readShown)
        : readShown(parseOrUndefined(shown.toString()))
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
  readonly #keyId: string
  readonly #shown = onceAhead(
    (frames) => this.#show(frames),
    (frames, signal) => this.#showInTurns(frames, signal),
  )

  constructor(inner: Observer, renamed: Renamed, framing: Framing, keyId: string) {
    super(inner)
    this.#renamed = renamed
    this.#framing = framing
    this.#keyId = keyId
  }

  override async prepare(frames: Buffer, signal: AbortSignal): Promise<void> {
    const shown = await this.#shown.ahead(frames, signal)
    await super.prepare(shown, signal)
  }

  observe(frames: Buffer): Observation {
    const shown = this.#shown.take(frames)
    const observation = this.inner.observe(shown)
    const isChanged = shown !== frames && !observation.bytes
    return isChanged ? { ...observation, bytes: shown } : observation
  }

  #show(frames: Buffer): Buffer {
    if (!this.#names(frames)) return frames
    return changeData(this.#framing, frames, (data) => withClientId(data, this.#renamed))
  }

  async #showInTurns(frames: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (!this.#names(frames)) return frames
    return changeInTurns(this.#framing, frames, { signal, owner: this.#keyId }, (data) =>
      withClientId(data, this.#renamed),
    )
  }

  #names(frames: Buffer): boolean {
    return frames.includes(JSON.stringify(this.#renamed.upstreamId))
  }
}
