import type { Context, Span, SpanContext, SpanOptions, TextMapPropagator } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../contract/plugin.ts'
import type { Tracer } from '../../contract/tracer.ts'
import { createBatch } from '../../lib/batch.ts'
import { type Log, describeError } from '../../lib/log.ts'
import { clockOffset } from './clock.ts'
import { ContentCapture } from './content/capture.ts'
import { SampledTrace } from './exchange-trace.ts'
import { createOriginOf } from './incoming.ts'
import { serverOptions } from './server-span.ts'
import type { StartChild } from './maker.ts'
import type { TracesSetting } from './settings.ts'
import { UnsampledTrace } from './unsampled-trace.ts'

/** The parts of the SDK that traces use. */
export interface Tracing {
  readonly startChild: StartChild
  /** Begins the span of an exchange; of an unsampled trace only its context. */
  begin(name: string, options: () => SpanOptions, above: Context): Span | SpanContext
  /** Absent: no trace passes in or out. */
  readonly propagator: TextMapPropagator | undefined
  /** Starts to send the waiting spans, and restarts the time that a shutdown has for them. */
  flush(): void
  /** Sends what waits. Rejects, or takes long, if the collector is away. */
  shutdown(): Promise<void>
}

/** Traces of a gateway: what begins them, and the plugin that ends them. */
export interface Traces {
  readonly tracer: Tracer
  readonly plugin: GatewayPlugin
  /** Begins to send what there is, before the gateway ends; again after further calls. */
  sendLast(): void
}

/** The options of `createTraces`. */
interface TracesOptions {
  readonly tracing: Tracing
  readonly setting: TracesSetting
  readonly log: Pick<Log, 'error'>
  /** The kind of the store: `file`, `memory` or `redis`. */
  readonly store: string
}

/** An exchange whose trace is to be ended. */
interface Ending {
  readonly trace: SampledTrace
  readonly exchange: Ended
  readonly summary: Summary
}

/** The traces that are ended at once. */
const batch = { items: 32, ms: 100 }

/** In bytes. A trace that waits for its batch keeps its exchange in memory, with its request. */
const mostWaiting = 64 * 1024

/** Probes ask every few seconds, and say nothing. */
const untraced: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/startupz'])

/** Creates the traces of a gateway. */
export function createTraces({ tracing, setting, log, store: kind }: TracesOptions): Traces {
  const { startChild, propagator, begin, flush, shutdown } = tracing
  const { detail, incoming: policy } = setting
  // A look-up elsewhere goes over no network.
  const store = kind === 'redis' && detail === 'full' ? kind : undefined
  const originOf = createOriginOf({ policy, propagator })
  const endings = createBatch<Ending>({
    ...batch,
    work: ({ trace, exchange, summary }) => trace.end(exchange, summary),
    onError: (error) => log.error('a trace could not be ended', describeError(error)),
  })

  return {
    sendLast() {
      endings.flush()
      flush()
    },
    tracer: {
      begin(exchange) {
        const { request } = exchange
        if (untraced.has(request.path)) return undefined
        const origin = originOf(request)
        const options = () => serverOptions(exchange, origin, clockOffset(exchange.receivedAt))
        const span = begin(request.method, options, origin.context)
        if (!('spanContext' in span)) return new UnsampledTrace(span, propagator)
        const offset = clockOffset(exchange.receivedAt)
        return new SampledTrace(
          { startChild, detail, clock: (time) => offset + time, propagator, store },
          span,
          setting.content ? new ContentCapture(setting) : undefined,
        )
      },
    },
    plugin: definePlugin({
      name: 'telemetry',
      onEnd({ exchange, summary }) {
        const { trace } = exchange.progress
        if (!(trace instanceof SampledTrace)) return
        trace.close()
        endings.add({ trace, exchange, summary })
        if (exchange.progress.bytesIn > mostWaiting) endings.flush()
      },
      onDispose() {
        endings.flush()
        return shutdown()
      },
    }),
  }
}
