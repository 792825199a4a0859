import { newline } from './plain-bytes.ts'
import type { Memory } from './words.ts'

/** A longer run of frames is not read here: twice what comes from a socket at once. */
const mostBytes = 128 * 1024

/**
 * The run of frames that is being read, in one place for all streams: what each of them brings along
 * is in none of the processor's caches, and can be compared by words only through a view that would
 * cost as much as it saves.
 */
class Run implements Memory {
  /** Behind the run stands a line feed, which no string contains, and then what was there before. */
  readonly bytes = Buffer.alloc(mostBytes + 1)
  readonly view = new DataView(this.bytes.buffer)
  length = 0

  /** Reads these from now on. Returns whether they were short enough. */
  load(frames: Buffer): boolean {
    if (frames.length > mostBytes) return false
    this.bytes.set(frames)
    this.bytes[frames.length] = newline
    this.length = frames.length
    return true
  }
}

export const run = new Run()
