/** A change of frames that an observer prepares before it observes them. */
interface Ahead {
  /** Changes frames, and keeps the result for `take`. */
  ahead(frames: Buffer): Buffer
  /** The changed frames. */
  take(frames: Buffer): Buffer
}

/** Makes a change that runs once for frames that are prepared and then observed. */
export function onceAhead(change: (frames: Buffer) => Buffer): Ahead {
  let known: { readonly from: Buffer; readonly to: Buffer } | undefined
  return {
    ahead(frames) {
      known = { from: frames, to: change(frames) }
      return known.to
    },
    take(frames) {
      const changed = known?.from === frames ? known.to : change(frames)
      known = undefined
      return changed
    },
  }
}
