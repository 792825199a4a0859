import { setTimeout as delay } from 'node:timers/promises'

import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api'

/** In milliseconds: more than the rest of the time that an end gives to what comes up late. */
const exportMs = 600

/** `@opentelemetry/sdk-node` in small: its provider has no `forceFlush`, the registered one has. */
export function startNodeSdk(): { shutdown(): Promise<void> } {
  let flushed: Promise<void> | undefined
  const send = (word: string) => delay(exportMs).then(() => void process.stderr.write(`${word}\n`))
  if (process.env['TEST_REGISTERS'] === 'true') {
    const tracer: Tracer = trace.getTracer('of the API')
    const provider: TracerProvider & { forceFlush(): Promise<void> } = {
      getTracer: () => tracer,
      forceFlush: () => (flushed ??= send('spans flushed')),
    }
    trace.setGlobalTracerProvider(provider)
  }
  return { shutdown: () => flushed ?? send('spans sent') }
}
