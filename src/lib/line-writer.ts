import { isoNow, jsonLine } from './log.ts'

/** The destination of lines, such as `process.stdout`. */
export interface LineSink {
  write(text: string, callback?: () => void): boolean
  readonly writableLength: number
  /** Whether a terminal shows the lines. */
  readonly isTTY?: boolean
}

/** Writes lines in batches. */
export interface LineWriter {
  /** Queues a line, which must not contain a line end. */
  write(line: string): void
  /**
   * Queues an object, which must not change any more, as a line. The writer formats a batch at once: one line
   * between two requests costs three times as much, since its code has left the processor's caches.
   */
  writeJson(fields: object): void
  /** Resolves when the sink has all lines written so far. */
  flush(): Promise<void>
  /** The number of lines dropped because the sink is blocked. */
  readonly dropped: number
}

/** The maximum time that a line waits for its batch. */
const batchMs = 100
const batchBytes = 64 * 1024
/** The objects that wait for their batch: formatting them takes a fraction of a millisecond. */
const batchObjects = 64
/** The bytes that may wait in a blocked sink before lines are dropped. */
const maxBufferedBytes = 4 * 1024 * 1024

/** Writes nothing. */
export const noLines: LineWriter = {
  write() {},
  writeJson() {},
  flush: () => Promise.resolve(),
  dropped: 0,
}

/**
 * Writes lines to a sink in batches. It may drop lines, but it never blocks a request. `format` makes a line
 * of an object; by default, of JSON.
 */
export function createLineWriter(
  sink: LineSink,
  format: (fields: object) => string = jsonLine,
): LineWriter {
  let waiting: (string | object)[] = []
  let size = 0
  let objects = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function writeBatch(callback?: () => void): void {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
      .map((line) => `${typeof line === 'string' ? line : formatted(line, format)}\n`)
      .join('')
    waiting = []
    size = 0
    objects = 0
    if (text || callback) sink.write(text, callback)
  }

  function add(line: string | object): void {
    if (sink.writableLength > maxBufferedBytes) {
      dropped++
      return
    }
    waiting.push(line)
    if (typeof line === 'string') size += line.length + 1
    else objects++
    if (size >= batchBytes || objects >= batchObjects) writeBatch()
    else timer ??= setTimeout(writeBatch, batchMs).unref()
  }

  return {
    get dropped() {
      return dropped
    },
    write: add,
    writeJson: add,
    flush: () => new Promise((resolve) => writeBatch(resolve)),
  }
}

function formatted(fields: object, format: (fields: object) => string): string {
  try {
    return format(fields)
  } catch (error) {
    // A dialect of a plugin may report anything, such as a bigint. Such a line must not take other lines along.
    const { message } = error as Error
    return JSON.stringify({
      time: isoNow(),
      level: 'error',
      msg: 'a line is not JSON',
      error: message,
    })
  }
}
