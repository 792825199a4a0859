/** The destination of lines, such as `process.stdout`. */
export interface LineSink {
  write(text: string, callback?: () => void): boolean
  readonly writableLength: number
}

/** Writes lines in batches. */
export interface LineWriter {
  /** Queues a line, which must not contain a line end. */
  write(line: string): void
  /** Resolves when the sink has all lines written so far. */
  flush(): Promise<void>
  /** The number of lines dropped because the sink is blocked. */
  readonly dropped: number
}

/** The maximum time that a line waits for its batch. */
const batchMs = 100
const batchBytes = 64 * 1024
/** The bytes that may wait in a blocked sink before lines are dropped. */
const maxBufferedBytes = 4 * 1024 * 1024

/** Writes lines to a sink in batches. It may drop lines, but it never blocks a request. */
export function createLineWriter(sink: LineSink): LineWriter {
  let waiting: string[] = []
  let size = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function writeBatch(callback?: () => void): void {
    clearTimeout(timer)
    timer = undefined
    const text = waiting.join('')
    waiting = []
    size = 0
    if (text || callback) sink.write(text, callback)
  }

  return {
    get dropped() {
      return dropped
    },
    write(line) {
      if (sink.writableLength > maxBufferedBytes) {
        dropped++
        return
      }
      waiting.push(line, '\n')
      size += line.length + 1
      if (size >= batchBytes) writeBatch()
      else timer ??= setTimeout(writeBatch, batchMs).unref()
    },
    flush: () => new Promise((resolve) => writeBatch(resolve)),
  }
}
