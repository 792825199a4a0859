import { definePlugin, type Ended, type GatewayPlugin } from '../src/plugin.ts'
import type { Summary } from '../src/exchange.ts'
import type { LineWriter } from '../src/line-writer.ts'

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
  const { id, request, progress } = exchange
  return {
    time: new Date().toISOString(),
    level: summary.status >= 500 || summary.end === 'broken' ? 'error' : 'info',
    msg: 'exchange',
    request_id: id,
    method: request.method,
    route: exchange.operation?.id,
    path: request.path,
    status: summary.status,
    dialect: exchange.dialect?.name,
    key_id: exchange.caller?.keyId,
    model_requested: exchange.call?.model,
    model_resolved: exchange.model?.name,
    account: progress.account?.id,
    provider: progress.account?.provider,
    attempts: progress.attempts,
    stream: progress.streamed,
    stream_end: summary.end,
    error_type: progress.error?.code,
    ...times(exchange, summary),
    ...tokens(exchange),
    bytes_in: progress.bytesIn,
    bytes_out: progress.bytesOut,
    client_ip: request.remoteAddress,
    user_agent: request.headers['user-agent'],
    response_id: progress.outcome?.produced?.id,
    prev_response_id: exchange.call?.refersTo.find(({ kind }) => kind === 'response')?.id,
  }
}

/** Milliseconds. Overhead is what is left when waiting for the upstream is taken away. */
function times({ progress, receivedAt }: Ended, { durationMs }: Summary): object {
  const { upstreamStartedAt, upstreamEndedAt, firstOutputAt } = progress
  const upstreamMs =
    upstreamStartedAt === undefined
      ? undefined
      : (upstreamEndedAt ?? receivedAt + durationMs) - upstreamStartedAt
  return {
    duration_ms: rounded(durationMs),
    ttft_ms: firstOutputAt === undefined ? undefined : rounded(firstOutputAt - receivedAt),
    upstream_ms: upstreamMs === undefined ? undefined : rounded(upstreamMs),
    overhead_ms: rounded(Math.max(0, durationMs - (upstreamMs ?? 0))),
  }
}

function tokens({ progress }: Ended): object {
  const usage = progress.outcome?.usage
  return {
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
    cached_tokens: usage?.cachedTokens,
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
