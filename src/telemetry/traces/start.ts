import { type Log, describeError } from '../../lib/log.ts'
import type { TelemetrySetting } from '../settings.ts'
import type { Traces } from './plugin.ts'

/** Loads the SDK where traces are on. Without it the gateway serves all the same. */
export async function startTraces(
  { traces }: Pick<TelemetrySetting, 'traces'>,
  { log, version }: { readonly log: Log; readonly version: string | undefined },
): Promise<Traces | undefined> {
  if (!traces) return undefined
  try {
    const { openTraces } = await import('./index.ts')
    return await openTraces(traces, { log, version })
  } catch (error) {
    log.error('traces are off: OpenTelemetry could not be started', describeError(error))
    return undefined
  }
}
