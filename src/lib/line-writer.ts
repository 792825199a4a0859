/** Where finished lines go, such as `process.stdout`. */
export interface LineSink {
  write(text: string, callback?: () => void): boolean
  readonly writableLength: number
}

export interface LineWriter {
  write(line: string): void
  /** Resolves when everything written so far has been handed over. */
  flush(): Promise<void>
  /** Lines dropped because nobody took them. */
  readonly dropped: number
}

/** How long a line may wait for company, in milliseconds. */
const gatherMs = 100
const gatherBytes = 64 * 1024
/** What a sink that takes nothing may pile up before lines are dropped. */
const mostWaiting = 4 * 1024 * 1024

/** Gathers lines and hands them on together. It may drop lines, but it never blocks a request. */
export function createLineWriter(sink: LineSink): LineWriter {
  let waiting: string[] = []
  let size = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function handOver(callback?: () => void): void {
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
      if (sink.writableLength > mostWaiting) {
        dropped++
        return
      }
      waiting.push(line, '\n')
      size += line.length + 1
      if (size >= gatherBytes) handOver()
      else timer ??= setTimeout(handOver, gatherMs).unref()
    },
    flush: () => new Promise((resolve) => handOver(resolve)),
  }
}
