import { defineDialect } from '../src/contract/dialect.ts'
import { GatewayError } from '../src/contract/errors.ts'
import { defineOperation } from '../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import type { TextFormat } from '../src/telemetry/metrics/serialize.ts'

/** Writes all metrics as text. Rejects if another process of the gateway cannot be asked. */
export interface MetricsText {
  text(format: TextFormat): Promise<string>
}

/** The media types of the formats. */
const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** Serves `GET /metrics` on the admin address, for Prometheus. */
export function metricsEndpoint(metrics: MetricsText): GatewayPlugin {
  const read = defineOperation({
    id: 'metrics.read',
    method: 'GET',
    paths: ['/metrics'],
    auth: 'none',
    summary: 'Metrics, in the format of Prometheus or OpenMetrics',
    async serve({ request }) {
      const format = formatFor(request.headers.accept)
      const body = await metrics.text(format).catch(unavailable)
      const headers = { 'content-type': contentTypes[format], 'cache-control': 'no-store' }
      return { status: 200, headers, body }
    },
  })
  const dialect = defineDialect({
    id: 'metrics',
    credential: () => undefined,
    error: errorEnvelope,
    operations: [read],
  })
  return definePlugin({ name: 'metrics', dialects: [dialect] })
}

/** Without the other processes counters would seem to fall. */
function unavailable(cause: unknown): never {
  throw new GatewayError('lookup_unavailable', 'The processes of the gateway do not answer.', {
    cause,
  })
}

/** The format that an `accept` header prefers. */
export function formatFor(accept: string | undefined): TextFormat {
  const quality = (wanted: string) =>
    Math.max(
      0,
      ...(accept ?? '').split(',').map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
        if (type !== wanted) return 0
        const q = parameters.find((one) => one.startsWith('q='))
        return q === undefined ? 1 : Number(q.slice(2)) || 0
      }),
    )
  const open = quality('application/openmetrics-text')
  return open > 0 && open >= quality('text/plain') ? 'openmetrics' : 'prometheus'
}
