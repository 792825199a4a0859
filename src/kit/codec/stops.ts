import type { RecordLoss } from '../../contract/codec.ts'
import type { GenerateRequest } from '../../generate/request.ts'

/** The stop sequences that an account takes; that others are left out is told. */
export function supportedStops(
  { stop = [], fields }: GenerateRequest,
  drop: RecordLoss,
  takes: (sequence: string) => boolean,
): readonly string[] {
  const taken = stop.filter(takes)
  if (taken.length < stop.length) {
    drop(fields.stop ?? 'stop', 'the account takes no stop sequences that are blank')
  }
  return taken
}
