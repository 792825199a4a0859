import { isoNow } from './clock.ts'

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
