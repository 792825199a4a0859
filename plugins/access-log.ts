import type { Exclusion, Loss } from '../src/contract/call.ts'
import { type LineWriter, type Log, describeError, isoNow } from '../src/lib/log.ts'
import type { Ended } from '../src/contract/exchange.ts'
import { type AccessFields, type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { lossesOfExchange } from '../src/exchange/deliver.ts'
import type { Summary } from '../src/contract/outcome.ts'
import { shownAttempts, shownFallbacks, translatedTo, upstreamTimeOf } from '../src/kit/attempts.ts'
import { cleanText } from '../src/kit/secrets/exchange-texts.ts'
import { knownKeyId } from '../src/exchange/identify.ts'
import { isObject } from '../src/lib/json/object.ts'
import { inScope } from '../src/lib/named-scope.ts'
import { type About, aboutOf } from '../src/hooks/plugin-failures.ts'

interface AccessLogOptions {
  readonly lines: LineWriter
  readonly log: Log
  /** The plugins that add fields of their own. */
  readonly plugins?: readonly GatewayPlugin[]
}

/**
 * Writes one JSON line for every exchange, after its last byte. Every field is listed explicitly, so
 * that no header, query or body reaches the log. API keys appear by id, never by secret. A text that a
 * client or an account chose is bounded, has no secret of theirs, and steers no terminal that shows the line.
 */
export function accessLog({ lines, log, plugins = [] }: AccessLogOptions): GatewayPlugin {
  const fieldsOf = createAccessFields(plugins, ({ name }, error, about) =>
    log.error(`${name}: onAccessLog failed`, { ...about, ...describeError(error) }),
  )
  return definePlugin({
    name: 'access-log',
    onEnd: ({ exchange, summary }) =>
      lines.writeJson(accessLine(exchange, summary, fieldsOf(exchange, summary))),
    onDispose: () => lines.flush(),
  })
}

function accessLine(exchange: Ended, summary: Summary, plugins: object | undefined): object {
  const { request, progress, receivedAt } = exchange
  const { firstOutputAt, outcome, routing, job } = progress
  const upstreamMs = upstreamTimeOf(exchange, summary.durationMs)
  const shown = (text = '') => (text === '' ? undefined : cleanText(text, exchange, maxLength))
  return {
    time: isoNow(),
    level: isAlarming(exchange, summary) ? 'error' : 'info',
    msg: 'exchange',
    request_id: exchange.id,
    trace_id: progress.trace?.traceId,
    span_id: progress.trace?.spanId,
    method: request.method,
    route: exchange.operation?.id,
    path: shown(request.path),
    status: summary.status,
    dialect: exchange.dialect?.id,
    account_dialect: translatedTo(exchange),
    key_id: knownKeyId(exchange),
    key_refused: progress.error?.refusedKey?.refused,
    model_requested: shown(exchange.call?.model || job?.model.requested),
    model_resolved: shown(exchange.model?.name || job?.model.name),
    account: progress.attempt?.candidate.account.id ?? job?.account,
    provider: providerOf(exchange),
    attempts: progress.attempts,
    attempted: progress.attempt && shownAttempts(progress),
    route_rule: routing?.decidedBy,
    fallbacks: progress.left.length > 0 ? shownFallbacks(progress) : undefined,
    excluded: routing && describeExclusions(routing.excluded, shown),
    excluded_omitted: routing && omitted(routing.excluded),
    losses: lossFields(lossesOfExchange(exchange), shown),
    stream: progress.streamed,
    stream_end: summary.end,
    error_type: (progress.error ?? (job?.stale ? outcome?.error : undefined))?.code,
    duration_ms: rounded(summary.durationMs),
    ttft_ms: firstOutputAt === undefined ? undefined : rounded(firstOutputAt - receivedAt),
    upstream_ms: upstreamMs === undefined ? undefined : rounded(upstreamMs),
    overhead_ms: rounded(Math.max(0, summary.durationMs - (upstreamMs ?? 0))),
    input_tokens: outcome?.usage?.inputTokens,
    output_tokens: outcome?.usage?.outputTokens,
    cached_tokens: outcome?.usage?.cachedTokens,
    searches: outcome?.usage?.searches,
    images: outcome?.usage?.images,
    audio_seconds: outcome?.usage?.audioSeconds,
    characters: outcome?.usage?.characters,
    bytes_in: progress.bytesIn,
    bytes_out: progress.bytesOut,
    client_ip: request.remoteAddress,
    user_agent: shown(request.headers['user-agent']),
    response_id: shown(outcome?.produced?.id),
    prev_response_id: shown(previous(exchange)),
    job_id: job?.id,
    job_status: job?.status,
    job_error: shown(job?.error),
    stale: job?.stale || undefined,
    plugins,
  }
}

/** A 5xx or a broken stream, unless an error of the caller or a plugin below 500 ended the stream. */
function isAlarming({ progress: { error, outcome } }: Ended, { status, end }: Summary): boolean {
  const isIntended = error && error.status < 500 && outcome?.fault !== 'account'
  return status >= 500 || (end === 'broken' && !isIntended)
}

/** The provider of the attempt's account; for a job without an attempt, the provider of the job's account. */
function providerOf({ progress: { attempt, job }, snapshot }: Ended): string | undefined {
  const account = attempt?.candidate.account
  if (account || !job) return account?.provider
  return snapshot.accounts.find(({ id }) => id === job.account)?.provider
}

/** The id of the response that the call continues, or of the job that it remixes. */
function previous({ call, progress: { job } }: Ended): string | undefined {
  return job?.remixedFrom ?? call?.refersTo.find(({ use }) => use === 'chain')?.id
}

/** Clients and accounts choose paths, models and ids, which may be very long. Characters. */
const maxLength = 512

/** A text as the line has it; `undefined` for none. */
type Shown = (text?: string) => string | undefined

/** Limits the losses in a line, since a client may send any number of unsupported fields. */
const maxLosses = 50

/** The fields that the attempt left out. */
function lossFields(losses: readonly Loss[], shown: Shown): string[] | undefined {
  if (losses.length === 0) return undefined
  return losses.slice(0, maxLosses).map(({ field }) => shown(field) ?? '')
}

/** Limits the exclusions in a line, since a pool may have thousands of accounts. */
const maxExcluded = 50

/** The excluded accounts and the reasons; `undefined` if no account was excluded. */
function describeExclusions(excluded: readonly Exclusion[], shown: Shown): object[] | undefined {
  if (excluded.length === 0) return undefined
  const first = excluded.slice(0, maxExcluded)
  return first.map(({ account, by, reason }) => ({ account, by, reason: shown(reason) }))
}

function omitted({ length }: readonly Exclusion[]): number | undefined {
  return length > maxExcluded ? length - maxExcluded : undefined
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}

/** The fields that one plugin adds to a line. */
const mostFields = 16

/** In characters. */
const longestText = 256

const fieldName = /^[A-Za-z]\w{0,63}$/

type Fields = Readonly<Record<string, AccessFields>>
type Logger = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAccessLog'>>

/** Called for a plugin that fails, or whose fields cannot all be logged. */
type OnError = (plugin: GatewayPlugin, error: unknown, about: About) => void

/**
 * Returns the fields of plugins for the line of an exchange, by the names of the plugins. A plugin fails alone:
 * the line is written without the fields that cannot be used.
 */
function createAccessFields(
  plugins: readonly GatewayPlugin[],
  onError: OnError,
): (exchange: Ended, summary: Summary) => Fields | undefined {
  const loggers = plugins.filter((plugin): plugin is Logger => plugin.onAccessLog !== undefined)
  return (exchange, summary) => {
    let all: Record<string, AccessFields> | undefined
    for (const plugin of loggers) {
      const failed = (error: unknown) => onError(plugin, error, aboutOf(exchange, plugin))
      const fields = fieldsOf(plugin, { exchange, summary }, failed)
      if (fields) all = { ...all, [plugin.name]: fields }
    }
    return all
  }
}

function fieldsOf(
  plugin: Logger,
  input: { readonly exchange: Ended; readonly summary: Summary },
  failed: (error: unknown) => void,
): AccessFields | undefined {
  try {
    const returned: unknown = inScope(plugin.name, () => plugin.onAccessLog(input))
    if (returned === undefined) return undefined
    if (!isObject(returned) || 'then' in returned) throw new Error('It returned no fields.')
    return copyOf(returned, input.exchange, failed)
  } catch (error) {
    failed(error)
    return undefined
  }
}

/** A copy: lines are formatted later, and the plugin may change its object for the next call. */
function copyOf(
  returned: Readonly<Record<string, unknown>>,
  exchange: Ended,
  failed: (error: unknown) => void,
): AccessFields | undefined {
  const entries = Object.entries(returned).filter(([, value]) => value !== undefined)
  const usable = entries.filter(([name, value]) => fieldName.test(name) && isValue(value))
  const kept = usable.slice(0, mostFields)
  if (kept.length < entries.length) failed(new Error(unusable))
  if (kept.length === 0) return undefined
  return Object.fromEntries(
    kept.map(([name, value]) => [name, shown(value, exchange)]),
  ) as AccessFields
}

const unusable = `Some of its fields are left out: a plugin adds ${mostFields} at most, of text, numbers and booleans.`

function isValue(value: unknown): boolean {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function shown(value: unknown, exchange: Ended): unknown {
  return typeof value === 'string' ? cleanText(value, exchange, longestText) : value
}
