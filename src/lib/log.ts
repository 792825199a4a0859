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

/**
 * The log for operators: one JSON line a message, in which no name steers a terminal.
 * Callers never pass secrets.
 */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

/**
 * A log of lines such as `{"time":...,"level":"error","msg":...}`, all with these common fields.
 */
export function createLog(sink: { write(text: string): unknown }, common: Fields = {}): Log {
  const writer =
    (level: string) =>
    (msg: string, fields: Fields = {}) =>
      void sink.write(
        `${visibleJson(JSON.stringify({ time: isoNow(), level, msg, ...common, ...fields }))}\n`,
      )
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
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
