import { describeError } from '../../lib/log.ts'
import type { TelemetrySetting } from '../settings.ts'
import type { OpenOptions, Traces } from './plugin.ts'

/** Loads the SDK where traces are on. Without it the gateway serves all the same. */
export async function startTraces(
  { traces }: Pick<TelemetrySetting, 'traces'>,
  options: OpenOptions,
): Promise<Traces | undefined> {
  if (!traces) return undefined
  try {
    const { openTraces } = await import('./plugin.ts')
    return await openTraces(traces, options)
  } catch (error) {
    options.log.error('traces are off: OpenTelemetry could not be started', describeError(error))
    return undefined
  }
}
