import type { Drop } from '../../contract/codec.ts'
import type { GenerateRequest } from '../../generate/request.ts'

/** The stop sequences that an account takes; that others are left out is told. */
export function speakable(
  { stop = [], fields }: GenerateRequest,
  drop: Drop,
  takes: (sequence: string) => boolean,
): readonly string[] {
  const taken = stop.filter(takes)
  if (taken.length < stop.length) {
    drop(fields.stop ?? 'stop', 'the account takes no stop sequences that are blank')
  }
  return taken
}
