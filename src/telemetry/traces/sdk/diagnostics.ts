import { DiagLogLevel, type DiagLogger, diag } from '@opentelemetry/api'
import { diagLogLevelFromString } from '@opentelemetry/core'

import type { Log } from '../../../lib/log.ts'

/** The time between two lines that begin alike, in milliseconds. A collector that is away causes many. */
const pauseMs = 60_000

/** In characters: how much of two lines is compared, and how long a line may be. */
const alikeLength = 40
const longestLine = 500

/** Beginnings that are remembered. */
const mostAlike = 100

/**
 * Writes the SDK's own messages to the gateway's log. Returns the function that ends it. `level`: the value of
 * `OTEL_LOG_LEVEL`.
 */
export function logDiagnostics(
  log: Log,
  level: string | undefined,
  now: () => number = Date.now,
): () => void {
  const written = new Map<string, number>()
  const to =
    (write: (message: string, fields: { message: string }) => void) =>
    (message: unknown): void => {
      const line = withoutUrls(sentenceOf(String(message))).slice(0, longestLine)
      const alike = line.slice(0, alikeLength)
      const last = written.get(alike)
      if (last !== undefined && now() - last < pauseMs) return
      if (written.size >= mostAlike) written.clear()
      written.set(alike, now())
      write('OpenTelemetry', { message: line })
    }
  const logger: DiagLogger = {
    error: to(log.error),
    warn: to(log.warn),
    info: to(log.info),
    debug: to(log.info),
    verbose: to(log.info),
  }
  diag.setLogger(logger, {
    logLevel: diagLogLevelFromString(level) ?? DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  })
  return () => diag.disable()
}

/** The message of an error: the SDK writes errors as JSON, with their stacks. */
function sentenceOf(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown }
    return typeof message === 'string' && message !== '' ? message : text
  } catch {
    return text
  }
}

/** An address may have a password in it. */
function withoutUrls(text: string): string {
  return text.replace(/\S+:\/\/\S+/g, '[url]')
}
