import type { Exclusion, Loss } from '../src/contract/call.ts'
import { isoNow } from '../src/lib/log.ts'
import type { Ended } from '../src/contract/exchange.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { lossesOfExchange } from '../src/exchange/deliver.ts'
import type { Summary } from '../src/contract/outcome.ts'
import type { LineWriter } from '../src/lib/line-writer.ts'
import { translatedTo } from '../src/kit/translated-to.ts'

/**
 * One JSON line for every exchange, written after its last byte. The fields are named one by one:
 * no header, query or body can slip in. A key is its id, never its secret.
 */
export function accessLog({ lines }: { lines: LineWriter }): GatewayPlugin {
  return definePlugin({
    name: 'access-log',
    onEnd: ({ exchange, summary }) => lines.write(JSON.stringify(accessLine(exchange, summary))),
    onDispose: () => lines.flush(),
  })
}

function accessLine(exchange: Ended, summary: Summary): object {
  const { request, progress, receivedAt } = exchange
  const { firstOutputAt, outcome, routing, job } = progress
  const upstreamMs = upstreamTime(exchange, summary)
  return {
    time: isoNow(),
    level: isAlarming(exchange, summary) ? 'error' : 'info',
    msg: 'exchange',
    request_id: exchange.id,
    method: request.method,
    route: exchange.operation?.id,
    path: request.path,
    status: summary.status,
    dialect: exchange.dialect?.id,
    account_dialect: translatedTo(exchange),
    key_id: exchange.caller?.keyId,
    model_requested: bounded(exchange.call?.model || job?.model.requested),
    model_resolved: exchange.model?.name || job?.model.name,
    account: progress.attempt?.candidate.account.id ?? job?.account,
    provider: providerOf(exchange),
    attempts: progress.attempts,
    route_rule: routing?.decidedBy,
    excluded: routing && leftOut(routing.excluded),
    losses: named(lossesOfExchange(exchange)),
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
    bytes_in: progress.bytesIn,
    bytes_out: progress.bytesOut,
    client_ip: request.remoteAddress,
    user_agent: request.headers['user-agent'],
    response_id: outcome?.produced?.id,
    prev_response_id: bounded(previous(exchange)),
    job_id: job?.id,
    job_status: job?.status,
    job_error: bounded(job?.error),
    stale: job?.stale || undefined,
  }
}

/** A stream that a caller's error ended, or a plugin's, broke off as it was meant to. */
function isAlarming({ progress: { error, outcome } }: Ended, { status, end }: Summary): boolean {
  const isMeant = error && error.status < 500 && outcome?.fault !== 'account'
  return status >= 500 || (end === 'broken' && !isMeant)
}

/** Of a job's account that was not asked, what the configuration says of it. */
function providerOf({ progress: { attempt, job }, snapshot }: Ended): string | undefined {
  const account = attempt?.candidate.account
  if (account || !job) return account?.provider
  return snapshot.accounts.find(({ id }) => id === job.account)?.provider
}

/** What the call goes on from: a response, or the job that a new one is made of. */
function previous({ call, progress: { job } }: Ended): string | undefined {
  return job?.remixedFrom ?? call?.refersTo.find(({ use }) => use === 'chain')?.id
}

/** Models and ids are what clients write into bodies, which may be very large. Characters. */
const longest = 512

function bounded(text = ''): string | undefined {
  if (text === '') return undefined
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

/** A client may send more fields that mean nothing to an account than a line should hold. */
const mostNamed = 50

/** The fields that an account was not asked for. */
function named(losses: readonly Loss[]): string[] | undefined {
  if (losses.length === 0) return undefined
  return losses.slice(0, mostNamed).map(({ field }) => bounded(field) ?? '')
}

/** The accounts that were not asked, and why; absent where there are none. */
function leftOut(excluded: readonly Exclusion[]): object[] | undefined {
  if (excluded.length === 0) return undefined
  return excluded.map(({ account, by, reason }) => ({ account, by, reason: bounded(reason) }))
}

/** Milliseconds spent waiting for the last upstream; what is left of the duration is overhead. */
function upstreamTime({ progress, receivedAt }: Ended, summary: Summary): number | undefined {
  const { startedAt, endedAt } = progress.attempt ?? {}
  if (startedAt === undefined) return undefined
  return (endedAt ?? receivedAt + summary.durationMs) - startedAt
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
