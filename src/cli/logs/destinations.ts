import type { LogSetting } from '../../configuration/log-schema.ts'
import { type LineSink, type Log, createRecordLog, describeError, jsonLine } from '../../lib/log.ts'
import { type LogFile, openLogFile } from '../../lib/log-file.ts'
import type { Terminal } from '../command.ts'
import { prettyLine } from './pretty.ts'

/** Where the lines of a log go, and how they look. */
interface Destination {
  readonly sink: LineSink
  readonly format: (record: object) => string
}

/** The destinations of both logs. */
interface Destinations {
  /** The log for operators. */
  own(): Destination
  /** The access log. */
  access(): Destination
  /** Opens the files of these settings, and opens those again that stay. */
  configure(setting: LogSetting): void
  close(): Promise<void>
}

type Place = Pick<Terminal, 'stdout' | 'stderr' | 'env'>

/** Opens the destinations of both logs. A file that cannot be written is named on standard error. */
export function openDestinations(setting: LogSetting, place: Place): Destinations {
  const { stdout, stderr, env } = place
  const files = new Map<string, LogFile>()
  const hasColors = !env['NO_COLOR']
  let own = destination(setting.file, stderr, setting.format)
  let access = destination(setting.file, stdout, setting.format)

  function destination(
    path: string | undefined,
    stream: LineSink,
    format: LogSetting['format'],
  ): Destination {
    const sink = path === undefined ? stream : fileAt(path)
    const isPretty = format === 'auto' ? sink.isTTY === true : format === 'pretty'
    const inColor = hasColors && sink.isTTY === true
    return { sink, format: isPretty ? (record) => prettyLine(record, inColor) : jsonLine }
  }

  /** Both logs may have the same file. */
  function fileAt(path: string): LogFile {
    const known = files.get(path)
    if (known) return known
    const file = openLogFile({
      path,
      onFault: (error, dropped) =>
        faults().error('the log file cannot be written: lines are dropped', {
          file: path,
          ...describeError(error),
          dropped,
        }),
      onRecovery: (dropped) =>
        faults().info('the log file is written again', { file: path, dropped }),
    })
    files.set(path, file)
    return file
  }

  function faults(): Log {
    const { format } = destination(undefined, stderr, setting.format)
    return createRecordLog((record) => void stderr.write(`${format(record)}\n`))
  }

  return {
    own: () => own,
    access: () => access,
    configure(next) {
      for (const file of files.values()) file.reopen()
      own = destination(next.file, stderr, next.format)
      access = destination(next.file, stdout, next.format)
      for (const [path, file] of files) {
        if (own.sink === file || access.sink === file) continue
        files.delete(path)
        void file.close()
      }
    },
    async close() {
      await Promise.all([...files.values()].map((file) => file.close()))
    },
  }
}
