import {
  ProxyTracerProvider,
  type TextMapPropagator,
  type Tracer,
  type TracerProvider,
  propagation,
  trace,
} from '@opentelemetry/api'
import { getStringFromEnv } from '@opentelemetry/core'
import { type SpanProcessor, TracerProvider as SdkTracerProvider } from '@opentelemetry/sdk-trace'

import type { Log } from '../../../lib/log.ts'
import { within } from '../../../lib/deadline.ts'
import { createResource } from '../../resource.ts'
import { lastTime } from '../../sender.ts'
import type { TracesSetting } from '../../settings.ts'
import { logDiagnostics } from './diagnostics.ts'
import { propagatorFromEnv, samplerFromEnv, spanLimitsFromEnv } from './environment.ts'
import { processorsFromEnv } from './exporters.ts'

/** The parts of the SDK that traces use. */
interface Tracing {
  readonly tracer: Tracer
  /** Absent: clients' traces are not read. */
  readonly propagator: TextMapPropagator | undefined
  /** Starts to send the waiting spans, and restarts the time that a shutdown has for them. */
  flush(): void
  /** Sends the waiting spans, for a bounded time. Never rejects. */
  shutdown(): Promise<void>
}

/** The name of the instrumentation. */
const name = 'dragoman'

/** The options of `openTracing`. */
export interface TracingOptions {
  readonly log: Log
  /** This package's version. Absent: traces name none. */
  readonly version?: string | undefined
}

/**
 * Opens the SDK by its variables, from its parts: `@opentelemetry/sdk-node` brings gRPC, whose protobufjs has an
 * install script, and registers itself for the whole process. A provider that the process has registered
 * (`node --import`) goes before it. Rejects if the variables cannot be used.
 */
export async function openTracing(
  { sample, endpoint }: Pick<TracesSetting, 'sample' | 'endpoint'>,
  { log, version }: TracingOptions,
): Promise<Tracing> {
  const registered = registeredTracing(log)
  if (registered) return registered
  const endDiagnostics = logDiagnostics(log, getStringFromEnv('OTEL_LOG_LEVEL'))
  try {
    const propagator = propagatorFromEnv()
    const spanProcessors = await processorsFromEnv({ log, endpoint })
    const provider = new SdkTracerProvider({
      resource: createResource(version),
      sampler: samplerFromEnv(sample),
      spanLimits: spanLimitsFromEnv(),
      spanProcessors,
    })
    const { flush, shutdown } = endingOf(spanProcessors, log)
    return {
      tracer: provider.getTracer(name),
      propagator,
      flush,
      shutdown: () => shutdown().finally(endDiagnostics),
    }
  } catch (error) {
    endDiagnostics()
    throw error
  }
}

/** A provider that may send its spans early. */
type FlushingProvider = TracerProvider & { forceFlush?(): Promise<void> }

/** The provider that the user's own code has registered. The gateway flushes it, and leaves its end to that code. */
function registeredTracing(log: Log): Tracing | undefined {
  const provider = trace.getTracerProvider()
  const isProxy = provider instanceof ProxyTracerProvider
  if (isProxy && !provider.getDelegateTracer(name)) return undefined
  const registered: FlushingProvider = isProxy ? provider.getDelegate() : provider
  const forceFlush = () => registered.forceFlush?.() ?? Promise.resolve()
  const hasPropagator = propagation.fields().length > 0
  return {
    tracer: provider.getTracer(name),
    propagator: hasPropagator ? propagation : undefined,
    ...endingOf([{ forceFlush, shutdown: forceFlush }], log),
  }
}

type Ending = Pick<SpanProcessor, 'forceFlush' | 'shutdown'>

/** Sends the last spans. A collector that is away would hold a shutdown for ten seconds. */
function endingOf(processors: readonly Ending[], log: Log): Pick<Tracing, 'flush' | 'shutdown'> {
  const last = lastTime()
  const lost = (error: unknown) => {
    const fault = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    log.warn('the last spans could not be exported', { fault })
  }
  const late = () => new Error(`the collector took longer than ${last.passed()} ms`)
  const all = (end: (one: Ending) => Promise<void>) => Promise.all(processors.map(end))
  return {
    flush() {
      last.begin()
      all((one) => one.forceFlush()).catch(lost)
    },
    async shutdown() {
      const ended = all((one) => one.shutdown())
      await within(last.left(), ended, late).catch(lost)
    },
  }
}
