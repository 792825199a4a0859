import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { GatewayError } from '../contract/errors.ts'
import type { Records } from '../stores/store.ts'

/** Signs texts and verifies the gateway's own signatures. */
export interface Signer {
  sign(fields: readonly string[]): Promise<string>
  /** Whether the signature is valid. The comparison takes constant time. */
  verify(fields: readonly string[], signature: string): Promise<boolean>
}

/** The records that store a generated secret. */
export type SecretRecords = Pick<Records<{ readonly secret: string }>, 'get' | 'add'>

/** The options of a signer. */
interface SignerOptions {
  /** Absent: the signer generates one and stores it in `records` for all replicas. */
  readonly secret?: string | undefined
  readonly records: SecretRecords
  /** Separates signatures: one for another purpose is not valid. */
  readonly purpose: string
}

/**
 * Creates a signer: HMAC-SHA-256 over the purpose and the fields as a JSON list, so that field
 * boundaries are unambiguous. Its methods reject with `GatewayError` 503 if the secret cannot be read.
 */
export function createSigner({ secret, records, purpose }: SignerOptions): Signer {
  let known: Promise<string> | undefined
  const read = () =>
    (known ??= readOrCreateSecret(records, purpose).catch((cause: unknown) => {
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
      // The length is not secret. Only the canonical base64url spelling is valid.
      const isOne = given.length === expected.length && given.toString('base64url') === signature
      return timingSafeEqual(isOne ? given : Buffer.alloc(expected.length), expected) && isOne
    },
  }
}

/** Reads the stored secret or creates it. Concurrent replicas get the same one. */
async function readOrCreateSecret(records: SecretRecords, id: string): Promise<string> {
  const stored = await records.get(id)
  if (stored !== undefined) return secretIn(stored)
  const secret = randomBytes(32).toString('base64url')
  if (await records.add(id, { secret })) return secret
  const theirs = await records.get(id)
  if (!theirs) throw new Error('The secret was deleted while it was created.')
  return secretIn(theirs)
}

/** A damaged record must not make the gateway sign with something else. */
function secretIn(record: { readonly secret: string }): string {
  const { secret }: { secret?: unknown } = Object(record)
  if (typeof secret !== 'string' || secret === '') throw new Error('The secret is damaged.')
  return secret
}

function cannotSign(cause: unknown): GatewayError {
  const message = 'The gateway cannot read its signing secret at the moment.'
  return new GatewayError('lookup_unavailable', message, { cause })
}
