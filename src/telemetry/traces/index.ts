import { type Traces, createTraces } from './plugin.ts'
import { type TracingOptions, openTracing } from './sdk/open-tracing.ts'
import type { TracesSetting } from './settings.ts'

/** The options of `openTraces`. */
export interface OpenOptions extends TracingOptions {
  /** The kind of the store: `file`, `memory` or `redis`. */
  readonly store: string
}

/**
 * Opens the traces of a gateway. Loads the SDK, so that it is imported only where traces are on. Rejects if
 * the SDK cannot be used as its variables say.
 */
export async function openTraces(
  setting: TracesSetting,
  { store, ...options }: OpenOptions,
): Promise<Traces> {
  const tracing = await openTracing(setting, options)
  return createTraces({ tracing, setting, log: options.log, store })
}
