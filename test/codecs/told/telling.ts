import { expect } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { codecs, decode, type Name } from '../samples/index.ts'

export interface Told {
  /** What an account is asked. */
  readonly body: JsonObject
  /** Why something is lost, by the client's name of it. */
  readonly lost: Readonly<Record<string, string>>
}

/** A client's request for a model of an account that speaks something else. */
export function ask(account: Name, model: string, client: Name, body: JsonObject): Told {
  const lost: Record<string, string> = {}
  const { body: sent } = codecs[account].encodeRequest(
    decode(client, body),
    model,
    (field, reason) => {
      expect(reason).toMatch(/^[a-z`].*[^.]$/)
      // What is done about it stands behind a semicolon, since it is not done where that is refused.
      expect(reason.replace(/;.*/, '')).not.toMatch(/instead|(is|are) (told|asked|offered)/)
      lost[field] ??= reason
    },
  )
  return { body: sent, lost }
}
