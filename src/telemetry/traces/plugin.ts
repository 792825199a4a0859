import { SpanKind, type TextMapPropagator, type Tracer as SpanTracer } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../contract/plugin.ts'
import type { Tracer } from '../../contract/tracer.ts'
import { createBatch } from '../../lib/batch.ts'
import { describeError } from '../../lib/log.ts'
import type { TracesSetting } from '../settings.ts'
import { ContentCapture } from './content/capture.ts'
import { SampledTrace, UnsampledTrace } from './exchange-trace.ts'
import { createOriginOf } from './incoming.ts'
import { SpanMaker } from './maker.ts'
import { type TracingOptions, openTracing } from './sdk/open.ts'

/** Traces of a gateway: the tracer that begins them, and the plugin that ends them. */
export interface Traces {
  readonly tracer: Tracer
  readonly plugin: GatewayPlugin
  /** Begins to send all waiting spans before the gateway ends; again after further calls. */
  sendLast(): void
}

/** The options of `openTraces`. */
export interface OpenOptions extends TracingOptions {
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

/**
 * Opens the traces of a gateway. Loads the SDK, so that it is imported only where traces are on. Rejects if
 * the SDK cannot be used as its variables say.
 */
export async function openTraces(
  setting: TracesSetting,
  { store: kind, log, version }: OpenOptions,
): Promise<Traces> {
  const { tracer, propagator, flush, shutdown } = await openTracing(setting, { log, version })
  const begin = createBegin(tracer, propagator, setting, kind)
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
      begin: (exchange) => (untraced.has(exchange.request.path) ? undefined : begin(exchange)),
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

/** Returns the function that begins the trace of an exchange. */
function createBegin(
  tracer: SpanTracer,
  propagator: TextMapPropagator | undefined,
  { incoming, content }: TracesSetting,
  kind: string,
): Tracer['begin'] {
  // A look-up elsewhere goes over no network.
  const store = kind === 'redis' ? kind : undefined
  const originOf = createOriginOf({ policy: incoming, propagator })
  return ({ request, receivedAt }) => {
    const { context, link } = originOf(request)
    const maker = new SpanMaker(tracer)
    const links = link && [{ context: link, attributes: { 'dragoman.link.reason': 'incoming' } }]
    const startTime = maker.time(receivedAt)
    const options = { kind: SpanKind.SERVER, startTime, ...(links && { links }) }
    const span = tracer.startSpan(request.method, options, context)
    if (!span.isRecording()) return new UnsampledTrace(span.spanContext())
    return new SampledTrace(maker, span, {
      store,
      content: content ? new ContentCapture() : undefined,
    })
  }
}
