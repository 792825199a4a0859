import type { ReadReply } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Framing } from '../contract/framing.ts'
import type { Target } from '../contract/operation.ts'
import type { Renamed } from '../contract/relocation.ts'
import { fillPath } from '../kit/account-path.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { smallJson } from '../lib/json/measure.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'
import { addPlace } from './places.ts'

/** Reads a native reply, without a signal. */
export type ReadNative = (json: unknown, received?: Buffer) => MaybePromise<ReadReply>

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

/** Reads a reply in which the resource has the client's id. */
export function readWithClientId(read: ReadNative, renamed: Renamed, keyId: string): ReadNative {
  return (json, received) => {
    const shown = received && withClientId(received, renamed)
    if (!shown || shown === received) return read(json, received)
    const readAgain = (): MaybePromise<ReadReply> => {
      const reply = read(JSON.parse(shown.toString()), shown)
      const withShown = (reply: ReadReply): ReadReply => ({ body: shown, ...reply })
      return isThenable(reply) ? reply.then(withShown) : withShown(reply)
    }
    return shown.length > smallJson ? nextTurn(keyId).then(readAgain) : readAgain()
  }
}

/** Puts the client's id of a resource into whole frames. */
export function framesWithClientId(frames: Buffer, renamed: Renamed, framing: Framing): Buffer {
  if (!frames.includes(JSON.stringify(renamed.upstreamId))) return frames
  return changeData(framing, frames, (data) => withClientId(data, renamed))
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
