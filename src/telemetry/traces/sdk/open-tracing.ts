import {
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Tracer,
  type TracerProvider,
  propagation,
  trace,
} from '@opentelemetry/api'
import { getStringFromEnv } from '@opentelemetry/core'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'

import type { Log } from '../../../lib/log.ts'
import { within } from '../../../lib/within.ts'
import { ownAttributes } from '../../resource.ts'
import { lastTime } from '../../sender.ts'
import type { Tracing } from '../plugin.ts'
import type { TracesSetting } from '../settings.ts'
import { logDiagnostics } from './diagnostics.ts'
import { resourceFromEnv, samplingFromEnv, spanLimitsFromEnv } from './environment.ts'
import { processorsFromEnv } from './exporters.ts'
import { loadOptional } from './optional-package.ts'
import { propagatorFromEnv } from './propagators.ts'
import { completeLimits } from './span-limits.ts'
import { createTracer } from './tracer.ts'

/** The name of the instrumentation. */
const name = 'dragoman'

/** The options of `openTracing`. */
export interface TracingOptions {
  readonly log: Log
  /** This package's version. Absent: traces name none. */
  readonly version?: string | undefined
}

/**
 * Opens the SDK. A provider that the process has registered (`node --import`) goes first, then the
 * file of `OTEL_CONFIG_FILE`, then the other variables. Rejects if they cannot be used.
 */
export async function openTracing(
  setting: TracesSetting,
  { log, version }: TracingOptions,
): Promise<Tracing> {
  const registered = registeredTracing()
  if (registered) return registered
  if (getStringFromEnv('OTEL_CONFIG_FILE') !== undefined) return openByFile(log)
  const endDiagnostics = logDiagnostics(log, getStringFromEnv('OTEL_LOG_LEVEL'))
  try {
    const propagator = await propagatorFromEnv()
    const processors = await processorsFromEnv({ log, endpoint: setting.endpoint })
    const tracer = createTracer({
      resource: resourceFromEnv(ownAttributes(version)),
      instrumentationScope: { name },
      ...samplingFromEnv(setting.sample),
      limits: completeLimits(spanLimitsFromEnv()),
      onEnd: (span) => {
        for (const processor of processors) processor.onEnd(span)
      },
    })
    const ending = endingOf(allOf(processors), log)
    return {
      ...tracer,
      propagator,
      flush: ending.flush,
      shutdown: () => ending.shutdown().finally(endDiagnostics),
    }
  } catch (error) {
    endDiagnostics()
    throw error
  }
}

/** Several processors end at the same time. */
function allOf(processors: readonly SpanProcessor[]): SdkProvider {
  return {
    async forceFlush() {
      await Promise.all(processors.map((one) => one.forceFlush()))
    },
    async shutdown() {
      await Promise.all(processors.map((one) => one.shutdown()))
    },
  }
}

/** The provider that the user's own code has registered, which also ends it. */
function registeredTracing(): Tracing | undefined {
  const provider = trace.getTracerProvider()
  const isNone = provider instanceof ProxyTracerProvider && !provider.getDelegateTracer(name)
  if (isNone) return undefined
  const tracer = provider.getTracer(name)
  return {
    ...startersOf(tracer),
    propagator: globalPropagator(),
    flush: () => {},
    shutdown: () => Promise.resolve(),
  }
}

/** How a tracer of others starts spans. */
function startersOf(tracer: Tracer): Pick<Tracing, 'begin' | 'startChild'> {
  return {
    begin(spanName, options, above) {
      const span = tracer.startSpan(spanName, options(), above)
      return span.isRecording() ? span : span.spanContext()
    },
    startChild: (spanName, options, parent) =>
      tracer.startSpan(spanName, options, trace.setSpan(ROOT_CONTEXT, parent)),
  }
}

/** The registered forms of a trace in headers. */
function globalPropagator(): Tracing['propagator'] {
  if (propagation.fields().length === 0) return undefined
  return {
    inject: (context, carrier, setter) => propagation.inject(context, carrier, setter),
    extract: (context, carrier, getter) => propagation.extract(context, carrier, getter),
    fields: () => propagation.fields(),
  }
}

/** The declarative configuration of the SDK, which only its whole package reads. */
async function openByFile(log: Log): Promise<Tracing> {
  const sdk = await loadOptional('@opentelemetry/sdk-node', '0.301.0')
  const { startNodeSdk } = sdk as { startNodeSdk(options: object): SdkProvider }
  const provider = startNodeSdk({})
  const tracer = trace.getTracer(name)
  return {
    ...startersOf(tracer),
    propagator: globalPropagator(),
    ...endingOf(withFlush(provider), log),
  }
}

/** `startNodeSdk` returns a provider that only ends; the one that it registers may flush. */
function withFlush(provider: SdkProvider): SdkProvider {
  if (provider.forceFlush) return provider
  const global = trace.getTracerProvider()
  const registered: TracerProvider & Pick<SdkProvider, 'forceFlush'> =
    global instanceof ProxyTracerProvider ? global.getDelegate() : global
  if (!registered.forceFlush) return provider
  return {
    forceFlush: () => registered.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => provider.shutdown(),
  }
}

interface SdkProvider {
  forceFlush?(): Promise<void>
  shutdown(): Promise<void>
}

/** Sends the last spans. A collector that is away would hold a shutdown for ten seconds. Never rejects. */
function endingOf(provider: SdkProvider, log: Log): Pick<Tracing, 'flush' | 'shutdown'> {
  const last = lastTime()
  const lost = (error: unknown) => {
    const fault = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    log.warn('the last spans could not be exported', { fault })
  }
  const late = () => new Error(`the collector took longer than ${last.passed()} ms`)
  return {
    flush() {
      // Without it nothing is sent before the end, so that the time begins there.
      if (!provider.forceFlush) return
      last.begin()
      provider.forceFlush().catch(lost)
    },
    async shutdown() {
      await within(last.left(), provider.shutdown(), late).catch(lost)
    },
  }
}
