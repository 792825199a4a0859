import type { Framing } from '../contract/framing.ts'
import { joinChanged } from '../kit/framing/change-data.ts'
import { replaceData } from '../kit/framing/undecoded.ts'
import { largeFrameBytes } from '../kit/large-events.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { Turns, type WorkOf } from '../lib/turns.ts'

/** Changes the data of one frame. Returns the same buffer if there is nothing to change. */
type Change = (data: Buffer, turns: Turns) => MaybePromise<Buffer>

/** The same as `changeData`, in turns of the event loop. Rejects with the reason of an aborted signal. */
export async function changeInTurns(
  framing: Framing,
  frames: Buffer,
  work: WorkOf & { readonly signal: AbortSignal },
  change: Change,
): Promise<Buffer> {
  const turns = new Turns(work)
  const pieces: Buffer[] = []
  let copied = 0
  for (let start = 0; start < frames.length;) {
    if (turns.isOver) await turns.next()
    work.signal.throwIfAborted()
    const end = framing.frameEnd(frames, start)
    const frame = frames.subarray(start, end)
    const changed = await changeFrame(framing, frame, change, turns)
    if (changed !== frame) {
      pieces.push(frames.subarray(copied, start), changed)
      copied = end
    }
    start = end
  }
  if (pieces.length === 0) return frames
  await turns.next()
  return joinChanged([...pieces, frames.subarray(copied)])
}

async function changeFrame(
  framing: Framing,
  frame: Buffer,
  change: Change,
  turns: Turns,
): Promise<Buffer> {
  let data: Buffer | undefined
  if (frame.length >= largeFrameBytes) await turns.next()
  framing.withData(frame, (found) => (data = found))
  const changed = data && (await change(data, turns))
  if (!changed || changed === data) return frame
  if (turns.isOver) await turns.next()
  return replaceData(framing, frame, changed)
}
