import type { LogSetting } from '../../configuration/log-schema.ts'
import {
  type LineSink,
  type LineWriter,
  type Log,
  type LogRecord,
  createLineWriter,
  createRecordLog,
  describeError,
} from '../../lib/log.ts'
import type { LogsPush } from '../../telemetry/logs/otlp.ts'
import type { LogsSetting } from '../../telemetry/settings.ts'
import type { Terminal } from '../command.ts'
import { openDestinations } from './destinations.ts'
import { packageVersion } from '../versions.ts'

/** The logs of a process that serves. Disposing of them writes what waits. */
interface Logs extends AsyncDisposable {
  /** The log for operators. */
  readonly log: Log
  /** The access log's lines. */
  readonly lines: LineWriter
  /** The log for operators, without records about the receiver of `forward`. */
  readonly local: Log
  /** Passes records on, besides writing them. `access`: the records of the access log too. */
  forward(receive: (record: LogRecord) => void, access: boolean): void
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
  let forward: ((record: LogRecord) => void) | undefined
  let forwardAccess: typeof forward
  const write = (record: LogRecord) => {
    const { sink, format } = destinations.own()
    sink.write(`${format(record)}\n`)
  }
  const options = {
    common: worker === undefined ? {} : { worker },
    threshold: () => setting.level,
  }
  const log = createRecordLog((record) => {
    write(record)
    forward?.(record)
  }, options)
  const present: LineSink = {
    write: (text, callback) => destinations.access().sink.write(text, callback),
    get writableLength() {
      return destinations.access().sink.writableLength
    },
  }
  const lines = createLineWriter(present, (fields) => destinations.access().format(fields))
  return {
    log,
    local: createRecordLog(write, options),
    lines: selected(
      lines,
      () => setting.access,
      // The lines of the access log have the fields of a record.
      (fields) => forwardAccess?.(fields as LogRecord),
    ),
    forward(receive, access) {
      forward = receive
      forwardAccess = access ? receive : undefined
    },
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
function selected(
  lines: LineWriter,
  choice: () => LogSetting['access'],
  forward: (fields: object) => void,
): LineWriter {
  return {
    write: (line) => lines.write(line),
    writeJson(fields) {
      const wanted = choice()
      if (wanted === 'off') return
      if (wanted === 'errors' && !isError(fields)) return
      lines.writeJson(fields)
      forward(fields)
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

/**
 * Sends the logs to a collector where that is asked for: then resolves with their sender, which `resources`
 * ends. Without the SDK the gateway serves all the same.
 */
export async function sendLogs(
  { otlp, access }: LogsSetting,
  logs: Pick<Logs, 'local' | 'forward'>,
  resources: AsyncDisposableStack,
): Promise<LogsPush | undefined> {
  if (!otlp) return undefined
  try {
    // Only a gateway that sends its logs loads OpenTelemetry.
    const { pushLogs } = await import('../../telemetry/logs/otlp.ts')
    const push = resources.use(
      await pushLogs({
        version: packageVersion(),
        onFault: (fields) =>
          logs.local.warn('the collector does not take the log: records are dropped', fields),
      }),
    )
    logs.forward((record) => push.push(record), access)
    return push
  } catch (error) {
    logs.local.error('the log is not sent to a collector', describeError(error))
    return undefined
  }
}
