import type { Observation } from '../../src/contract/observer.ts'

/** What goes to the client, whether or not it stands in a chunk. */
export function bytesOf({ bytes, chunk }: Observation): Buffer | undefined {
  return chunk?.content ?? bytes
}
