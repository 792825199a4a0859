import { setTimeout as delay } from 'node:timers/promises'

import { ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api'

/** In milliseconds: more than the least time of an end. */
const exportMs = 600

/** With `--import`: registers a provider whose flush takes a while, and says so on standard error. */
const tracer = new ProxyTracerProvider().getTracer('without spans')
let flushed: Promise<void> | undefined
const provider: TracerProvider & { forceFlush(): Promise<void> } = {
  getTracer: () => tracer,
  forceFlush: () =>
    (flushed ??= delay(exportMs).then(() => void process.stderr.write('spans flushed\n'))),
}
trace.setGlobalTracerProvider(provider)
