/** The frames of a stream before its first output: while they are held, another account can still serve the call. */
export class HeldFrames {
  #frames: Buffer[] = []
  #since = 0
  bytes = 0

  add(frames: Buffer): void {
    if (this.bytes === 0) this.#since = performance.now()
    this.#frames.push(frames)
    this.bytes += frames.length
  }

  /** Whether the first ones have been held for longer than this, in milliseconds. */
  areOlderThan(limitMs: number, now: number): boolean {
    return this.bytes > 0 && now - this.#since > limitMs
  }

  /** Returns the frames, and holds none any more. */
  take(): readonly Buffer[] {
    const frames = this.#frames
    this.#frames = []
    this.bytes = 0
    return frames
  }
}
