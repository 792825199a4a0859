import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Recreate } from '../../../src/contract/operation.ts'
import { storedSizeOf } from '../../../src/kit/stored-size.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** The largest conversation that can move, in bytes: its binding carries its items. */
const maxSeedBytes = 64 * 1024

/**
 * Returns the request that created a conversation, so that another account can create it too. Stored
 * items that the request names are on one account only, so that such a conversation stays there.
 */
export function seedOf({ json, members }: RequestBody, call: Call): JsonObject | undefined {
  // Large members may have been released by now: reading one would parse it again.
  if (isLarge(members.get('items')) || isLarge(members.get('metadata'))) return undefined
  const { items, metadata } = json
  // A whole large body may have been released, too.
  if (members.has('items') && items === undefined) return undefined
  const seed = { ...(items != null && { items }), ...(metadata != null && { metadata }) }
  return call.names || storedSizeOf(seed) > maxSeedBytes ? undefined : seed
}

function isLarge(member: ByteRange | undefined): boolean {
  return member !== undefined && member.end - member.start > maxSeedBytes
}

/** Creates a conversation again for the first call that uses it. */
export const recreateConversation: Recreate = {
  call: (seed) => ({ method: 'POST', path: '/v1/conversations', json: seed }),
  idOf: (reply) => stringAt(reply, 'id'),
}
