import type { Log } from '../../lib/log.ts'
import { type Traces, createTraces } from './plugin.ts'
import { openTracing } from './sdk/open-tracing.ts'
import type { TracesSetting } from './settings.ts'

/** The options of `openTraces`. */
interface OpenOptions {
  readonly log: Log
}

/**
 * Opens the traces of a gateway. Loads the SDK, so that it is imported only where traces are on. Rejects if
 * the SDK cannot be used as its variables say.
 */
export async function openTraces(setting: TracesSetting, { log }: OpenOptions): Promise<Traces> {
  const tracing = await openTracing(setting, log)
  return createTraces({ tracing, setting, log })
}
