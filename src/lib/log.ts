let lastSecond = -1

let prefix = ''

/** The time as ISO 8601. Formatting takes microseconds, so it is done once a second. */
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

/** What operators should know, one JSON line each. Secrets are never passed in. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

/** Writes lines such as `{"time":...,"level":"error","msg":...}`, each with what is `everywhere`. */
export function createLog(sink: { write(text: string): unknown }, everywhere: Fields = {}): Log {
  const writer =
    (level: string) =>
    (msg: string, fields: Fields = {}) =>
      void sink.write(
        `${JSON.stringify({ time: isoNow(), level, msg, ...everywhere, ...fields })}\n`,
      )
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}

/** An error for the log: its name, message and cause, and its stack where debugging is on. */
export function describeError(error: unknown, debug = false): Fields {
  if (!(error instanceof Error)) return { error: String(error) }
  const { cause } = error
  return {
    error: `${error.name}: ${error.message}`,
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
    ...(debug && { stack: error.stack }),
  }
}
