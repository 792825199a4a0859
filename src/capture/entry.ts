import type { Ended } from '../contract/exchange.ts'
import type { Summary } from '../contract/outcome.ts'
import { shownAttempts } from '../kit/attempts.ts'
import { hideSecrets } from '../kit/secrets/exchange-texts.ts'
import { isoNow } from '../lib/log.ts'
import type { CapturedForm, CapturedPart } from './form.ts'
import type { CapturedBody, Recorder } from './recorder.ts'

/** Headers that say how a call is meant, and no credential. Names, and beginnings with a hyphen. */
const shownHeaders: readonly string[] = [
  'accept',
  'accept-encoding',
  'anthropic-beta',
  'anthropic-version',
  'content-encoding',
  'content-length',
  'content-type',
  'openai-beta',
  'retry-after',
  'user-agent',
  'x-dragoman-',
  'x-goog-api-client',
  'x-request-id',
  'x-should-retry',
  'x-stainless-',
  'x-trace-id',
]

/** Parameters of a query whose values are shown; of all others, only the names. */
const shownParameters: ReadonlySet<string> = new Set([
  'after',
  'alt',
  'api-version',
  'before',
  'beta',
  'limit',
  'order',
  'pageSize',
  'stream',
])

/** A credential that the limit cuts in two looks like any other text. Characters. */
const longestBeginning = 256

/** A client chooses the names of parts and files. Characters. */
const longestName = 256

/** An exchange as a capture has it, without credentials. */
export function entryOf(exchange: Ended, summary: Summary, recorder: Recorder): object {
  const { request, progress, caller } = exchange
  const clean = (text: string) => hideSecrets(text, exchange)
  return {
    time: isoNow(),
    request_id: exchange.id,
    trace_id: progress.trace?.traceId,
    key_id: caller?.keyId,
    model: exchange.model?.name,
    attempts: shownAttempts(progress),
    request: {
      method: request.method,
      path: clean(request.path),
      query: queryOf(request.query, clean),
      headers: headersOf(request.headers, clean),
      ...(recorder.form
        ? formOf(recorder.form, clean)
        : bodyOf(recorder.asked, request.headers['content-type'], clean)),
    },
    reply: {
      status: recorder.status ?? summary.status,
      end: summary.end,
      error: progress.error?.code,
      duration_ms: Math.round(summary.durationMs),
      headers: headersOf(recorder.headers, clean),
      ...bodyOf(recorder.answered, recorder.headers['content-type'], clean),
    },
  }
}

/** A client may put its key in any place, even in the name of a parameter. */
function queryOf(
  query: string,
  clean: (text: string) => string,
): Record<string, string> | undefined {
  if (query === '') return undefined
  const parameters = [...new URLSearchParams(query)]
  return Object.fromEntries(
    parameters.map(([name, value]) => [
      clean(name),
      shownParameters.has(name) ? clean(value) : '[hidden]',
    ]),
  )
}

function headersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  clean: (text: string) => string,
): Record<string, string> {
  const isShown = (name: string) =>
    shownHeaders.some((one) => (one.endsWith('-') ? name.startsWith(one) : name === one))
  const shown = Object.entries(headers).filter(([name]) => isShown(name.toLowerCase()))
  return Object.fromEntries(shown.map(([name, value]) => [name, clean(String(value))]))
}

/** The text of a body; of another type, such as a picture, only the size. */
function bodyOf(
  body: CapturedBody | undefined,
  type: string | undefined,
  clean: (text: string) => string,
): object {
  if (!body || body.size === 0) return {}
  const { bytes, size } = body
  const isText = type === undefined || /^text\/|json/i.test(type)
  if (!isText || bytes.length === 0) return { bytes: size }
  const text = bytes.toString()
  const isCut = size > bytes.length
  return {
    body: clean(isCut ? text.slice(0, -longestBeginning) : text),
    bytes: size,
    ...(isCut && { cut: true }),
  }
}

function formOf({ parts, size, isCut }: CapturedForm, clean: (text: string) => string): object {
  const form = parts.map((part) => partOf(part, clean))
  return { form, bytes: size, ...(isCut && { cut: true }) }
}

function partOf(
  { name, filename, type, text, bytes, isCut }: CapturedPart,
  clean: (text: string) => string,
): object {
  const short = (one: string) => clean(one.slice(0, longestName))
  return {
    name: short(name),
    ...(filename !== undefined && { filename: short(filename) }),
    ...(type !== undefined && { type: short(type) }),
    ...(text !== undefined && { text: clean(isCut ? text.slice(0, -longestBeginning) : text) }),
    bytes,
    ...(isCut && { cut: true }),
  }
}
