import type { LogSetting } from '../../configuration/log-config.ts'
import { type LineSink, type LineWriter, createLineWriter } from '../../lib/line-writer.ts'
import { type Log, createRecordLog } from '../../lib/log.ts'
import type { Terminal } from '../command.ts'
import { openDestinations } from './destinations.ts'

/** The logs of a process that serves. Disposing of them writes what waits. */
interface Logs extends AsyncDisposable {
  /** The log for operators. */
  readonly log: Log
  /** The access log's lines. */
  readonly lines: LineWriter
  /** Replaces level, form and places, as a reload does, and opens files again. */
  configure(setting: LogSetting): void
}

/** Opens the logs of a process. With several workers, each line of the log for operators has its number. */
export function openLogs(
  started: LogSetting,
  terminal: Pick<Terminal, 'stdout' | 'stderr' | 'env'>,
  worker: number | undefined,
): Logs {
  let setting = started
  const destinations = openDestinations(setting, terminal)
  const log = createRecordLog(
    (record) => {
      const { sink, format } = destinations.own()
      sink.write(`${format(record)}\n`)
    },
    {
      common: worker === undefined ? {} : { worker },
      threshold: () => setting.level,
    },
  )
  const present: LineSink = {
    write: (text, callback) => destinations.access().sink.write(text, callback),
    get writableLength() {
      return destinations.access().sink.writableLength
    },
  }
  const lines = createLineWriter(present, (fields) => destinations.access().format(fields))
  return {
    log,
    lines: selected(lines, () => setting.access),
    configure(next) {
      setting = next
      destinations.configure(next)
    },
    async [Symbol.asyncDispose]() {
      // Lines that wait for their batch go to a file that is still open.
      void lines.flush()
      await destinations.close()
    },
  }
}

/** Leaves lines out of the access log. */
function selected(lines: LineWriter, choice: () => LogSetting['access']): LineWriter {
  return {
    write: (line) => lines.write(line),
    writeJson(fields) {
      const wanted = choice()
      if (wanted === 'off') return
      if (wanted === 'all' || isError(fields)) lines.writeJson(fields)
    },
    flush: () => lines.flush(),
    get dropped() {
      return lines.dropped
    },
  }
}

function isError(fields: object): boolean {
  return 'level' in fields && fields.level === 'error'
}
