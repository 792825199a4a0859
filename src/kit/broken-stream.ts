import { GatewayError } from '../contract/errors.ts'
import type { Observation } from '../contract/observer.ts'

/** The observation of a stream that broke without an error event. */
export function failedObservation(error: GatewayError): Observation {
  return { phase: 'failed', error }
}

/** The observation of a stream that the upstream closed cleanly before it was complete. */
export function endedEarly(): Observation {
  return failedObservation(
    new GatewayError(
      'upstream_stream_broken',
      "The upstream's stream ended before it was complete.",
    ),
  )
}
