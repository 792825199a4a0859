import { type Traces, createTraces } from './plugin.ts'
import { type TracingOptions, openTracing } from './sdk/open-tracing.ts'
import type { TracesSetting } from './settings.ts'

/**
 * Opens the traces of a gateway. Loads the SDK, so that it is imported only where traces are on. Rejects if
 * the SDK cannot be used as its variables say.
 */
export async function openTraces(setting: TracesSetting, options: TracingOptions): Promise<Traces> {
  const tracing = await openTracing(setting, options)
  return createTraces({ tracing, setting, log: options.log })
}
