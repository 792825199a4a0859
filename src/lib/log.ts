import { visibleJson } from './visible.ts'

let lastSecond = -1

let prefix = ''

/** The current time in ISO 8601. Formatting takes microseconds, so it happens once a second. */
export function isoNow(): string {
  const now = Date.now()
  const second = Math.floor(now / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    prefix = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
  }
  return `${prefix}${String(now - second * 1_000).padStart(3, '0')}Z`
}

type Fields = Readonly<Record<string, unknown>>

/** The levels of the log, the least urgent first. */
const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The urgency of a message. */
export type LogLevel = (typeof logLevels)[number]

/** The least level that is logged. */
type LogThreshold = LogLevel | 'off'

/** A message with its fields, as a log writes it. */
export interface LogRecord extends Fields {
  /** ISO 8601. */
  readonly time: string
  readonly level: LogLevel
  readonly msg: string
}

/** The log for operators. Callers never pass secrets. */
export interface Log {
  /** `fields` makes them where the level is logged, which few logs do. */
  debug(message: string, fields?: () => Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

/**
 * A log of lines such as `{"time":...,"level":"error","msg":...}` from level `info` on, all with these
 * common fields.
 */
export function createLog(sink: { write(text: string): unknown }, common: Fields = {}): Log {
  return createRecordLog((record) => void sink.write(`${jsonLine(record)}\n`), { common })
}

/** The options of `createRecordLog`. */
interface RecordLogOptions {
  /** The fields of all records. */
  readonly common?: Fields
  /** Asked for each message. Default: `info`. */
  readonly threshold?: () => LogThreshold
}

/** A log that passes each message on as a record. */
export function createRecordLog(
  write: (record: LogRecord) => void,
  { common = {}, threshold = () => 'info' }: RecordLogOptions = {},
): Log {
  const writer =
    (level: LogLevel) =>
    (msg: string, fields: Fields = {}) => {
      if (isLogged(level, threshold())) write({ time: isoNow(), level, msg, ...common, ...fields })
    }
  const writeDebug = writer('debug')
  return {
    debug(message, fields) {
      if (isLogged('debug', threshold())) writeDebug(message, fields?.())
    },
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

/** The same log, whose messages all have these fields too. */
export function withFields(log: Log, added: Fields): Log {
  const writer =
    (level: Exclude<LogLevel, 'debug'>) =>
    (message: string, fields: Fields = {}) =>
      log[level](message, { ...fields, ...added })
  return {
    debug: (message, fields) => log.debug(message, () => ({ ...fields?.(), ...added })),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

function isLogged(level: LogLevel, threshold: LogThreshold): boolean {
  return threshold !== 'off' && logLevels.indexOf(level) >= logLevels.indexOf(threshold)
}

/** A record as one line of JSON, in which no name steers a terminal. */
export function jsonLine(record: object): string {
  return visibleJson(JSON.stringify(record))
}

/** The fields of an error for the log: its name, message and cause; with `debug`, its stack. */
export function describeError(error: unknown, debug = false): Fields {
  if (!(error instanceof Error)) return { error: String(error) }
  const { cause } = error
  return {
    error: `${error.name}: ${error.message}`,
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
    ...(debug && { stack: error.stack }),
  }
}

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
