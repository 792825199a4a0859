/** A change of frames that an observer prepares before it observes them. */
export interface OnceAhead {
  /** Changes frames, and keeps the result, or the error, for `take`. */
  ahead(frames: Buffer, signal: AbortSignal): Promise<Buffer>
  /** The changed frames. */
  take(frames: Buffer): Buffer
}

/**
 * Makes a change that runs once for frames that are prepared and then observed. `change` changes frames at once,
 * `inTurns` does the same in turns of the event loop.
 */
export function onceAhead(
  change: (frames: Buffer) => Buffer,
  inTurns: (frames: Buffer, signal: AbortSignal) => Promise<Buffer>,
): OnceAhead {
  let known: { readonly from: Buffer; readonly result: () => Buffer } | undefined
  return {
    async ahead(frames, signal) {
      try {
        const to = await inTurns(frames, signal)
        known = { from: frames, result: () => to }
      } catch (error) {
        known = {
          from: frames,
          result: () => {
            throw error
          },
        }
      }
      return known.result()
    },
    take(frames) {
      const result = known?.from === frames ? known.result : () => change(frames)
      known = undefined
      return result()
    },
  }
}
