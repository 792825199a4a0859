import { defineDialect } from '../src/contract/dialect.ts'
import { GatewayError } from '../src/contract/errors.ts'
import { defineOperation } from '../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { type TextFormat, contentTypes, formatFor } from '../src/telemetry/metrics/serialize.ts'

/** Writes all metrics as text. Rejects if another process of the gateway cannot be asked. */
export interface MetricsText {
  text(format: TextFormat): Promise<string>
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
