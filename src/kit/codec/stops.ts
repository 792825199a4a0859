import type { RecordLoss } from '../../contract/codec.ts'
import type { GenerateRequest } from '../../generate/request.ts'

/** Returns the stop sequences that an account supports, and records a loss if there are others. */
export function supportedStops(
  { stop = [], fields }: GenerateRequest,
  drop: RecordLoss,
  isSupported: (sequence: string) => boolean,
): readonly string[] {
  const supported = stop.filter(isSupported)
  if (supported.length < stop.length) {
    drop(fields.stop ?? 'stop', 'the account does not support blank stop sequences')
  }
  return supported
}
