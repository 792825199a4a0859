import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { GatewayError } from '../contract/errors.ts'
import type { Records } from '../stores/store.ts'

/** Signs what the gateway wants to recognise as its own. */
export interface Signer {
  sign(fields: readonly string[]): Promise<string>
  /** Takes as long for a signature that is nearly right as for one that is not. */
  verify(fields: readonly string[], signature: string): Promise<boolean>
}

/** Where a signer's secret is kept if no one has configured any. */
export type SecretRecords = Pick<Records<{ readonly secret: string }>, 'get' | 'add'>

export interface SignerOptions {
  /** Absent: made once, and kept in the store for all replicas. */
  readonly secret?: string | undefined
  readonly records: SecretRecords
  /** What is signed: no signature passes for one of another purpose. */
  readonly purpose: string
}

/** HMAC-SHA-256 over all fields, none of which can pass for two. Rejects with 503 without its store. */
export function createSigner({ secret, records, purpose }: SignerOptions): Signer {
  let known: Promise<string> | undefined
  const read = () =>
    (known ??= keptSecret(records, purpose).catch((cause: unknown) => {
      known = undefined
      throw cannotSign(cause)
    }))
  const hmac = async (fields: readonly string[]) =>
    createHmac('sha256', secret ?? (await read()))
      .update(JSON.stringify([purpose, ...fields]))
      .digest()
  return {
    sign: async (fields) => (await hmac(fields)).toString('base64url'),
    async verify(fields, signature) {
      const expected = await hmac(fields)
      const given = Buffer.from(signature, 'base64url')
      // The length of a signature is no secret, and one has one spelling only.
      const isOne = given.length === expected.length && given.toString('base64url') === signature
      return timingSafeEqual(isOne ? given : Buffer.alloc(expected.length), expected) && isOne
    },
  }
}

/** The first replica that asks makes it; those that ask at the same time get the same. */
async function keptSecret(records: SecretRecords, id: string): Promise<string> {
  const kept = await records.get(id)
  if (kept) return kept.secret
  const secret = randomBytes(32).toString('base64url')
  if (await records.add(id, { secret })) return secret
  const theirs = await records.get(id)
  if (!theirs) throw new Error('The secret was deleted while it was made.')
  return theirs.secret
}

function cannotSign(cause: unknown): GatewayError {
  const message = 'The gateway cannot read its signing secret at the moment.'
  return new GatewayError('lookup_unavailable', message, { cause })
}
