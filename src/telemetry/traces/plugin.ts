import type { TextMapPropagator, Tracer as SpanTracer } from '@opentelemetry/api'

import { type GatewayPlugin, definePlugin } from '../../contract/plugin.ts'
import type { Tracer } from '../../contract/tracer.ts'
import { clockOffset } from './clock.ts'
import { ContentCapture } from './content/capture.ts'
import { SampledTrace } from './exchange-trace.ts'
import { createOriginOf } from './incoming.ts'
import { withSpan } from './outgoing.ts'
import { startServerSpan } from './server-span.ts'
import type { TracesSetting } from './settings.ts'
import { UnsampledTrace } from './unsampled-trace.ts'

/** The parts of the SDK that traces use. */
export interface Tracing {
  readonly tracer: SpanTracer
  /** Absent: no trace passes in or out. */
  readonly propagator: TextMapPropagator | undefined
  /** Sends what waits. Rejects, or takes long, if the collector is away. */
  shutdown(): Promise<void>
}

/** Traces of a gateway: what begins them, and the plugin that gives them their spans. */
export interface Traces {
  readonly tracer: Tracer
  readonly plugin: GatewayPlugin
}

/** The options of `createTraces`. */
interface TracesOptions {
  readonly tracing: Tracing
  readonly setting: TracesSetting
}

/** Probes ask every few seconds, and say nothing. */
const untraced: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/startupz'])

/** Creates the traces of a gateway. */
export function createTraces({ tracing, setting }: TracesOptions): Traces {
  const { tracer, propagator, shutdown } = tracing
  const { detail, incoming: policy } = setting
  const originOf = createOriginOf({ policy, propagator })

  return {
    tracer: {
      begin(exchange) {
        const { request } = exchange
        if (untraced.has(request.path)) return undefined
        const offset = clockOffset()
        const span = startServerSpan(tracer, exchange, originOf(request), offset)
        // Without spans below it, an unsampled trace costs next to nothing.
        return span.isRecording()
          ? new SampledTrace(
              { tracer, detail, clock: (time) => offset + time },
              span,
              setting.content ? new ContentCapture(setting) : undefined,
            )
          : new UnsampledTrace(span.spanContext())
      },
    },
    plugin: definePlugin({
      name: 'telemetry',
      onAttempt({ exchange, outbound, next }) {
        const { trace } = exchange.progress
        const { propagate = 'none' } = exchange.candidate.account
        const span =
          trace instanceof SampledTrace
            ? trace.beginAttempt(exchange, outbound)
            : trace instanceof UnsampledTrace && trace.context
        return span && propagate === 'traceparent'
          ? next(withSpan(outbound, span, propagator))
          : next()
      },
      onOutcome({ exchange, attempt, outcome }) {
        const { trace } = exchange.progress
        if (trace instanceof SampledTrace) trace.endAttempt(attempt, outcome)
      },
      onEnd({ exchange, summary }) {
        const { trace } = exchange.progress
        if (trace instanceof SampledTrace) trace.end(exchange, summary)
      },
      onDispose: () => shutdown(),
    }),
  }
}
