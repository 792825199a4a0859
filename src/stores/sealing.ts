import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** A secret sealed with AES-256-GCM. */
export interface SealedSecret {
  /** The id of the key, which says nothing about the key. */
  readonly key: string
  /** 12 random bytes in base64url. */
  readonly nonce: string
  /** The sealed secret and its tag of 16 bytes, in base64url. */
  readonly box: string
}

/** Seals secrets with the newest of its keys, and opens those that any of them has sealed. */
export interface Sealer {
  /** Whether it has a key. */
  readonly hasKey: boolean
  /** The id of the key that seals; `undefined` without a key. Throws `StoreUnavailable`. */
  newest(): string | undefined
  /**
   * Seals a secret for one subject: it opens for no other. Throws `TypeError` without a key, and
   * `StoreUnavailable` if the store's own key cannot be read.
   */
  seal(secret: string, subject: string): SealedSecret
  /** Opens a secret. Throws `StoreUnavailable` if the store's own key cannot be read. */
  open(sealed: SealedSecret, subject: string): OpenedSecret
}

/**
 * A secret, or why it stays closed. `unknown-key`: another key has sealed it. `changed`: it was sealed
 * for another subject, or it is damaged.
 */
type OpenedSecret =
  | { readonly secret: string }
  | { readonly secret?: undefined; readonly fault: 'unknown-key' | 'changed' }

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Creates a sealer from the texts of its keys, the newest first, of 32 characters or more each. `ownKey`
 * returns the oldest, which a store has without any; it is not asked before it is needed.
 */
export function createSealer(keyTexts: readonly string[], ownKey?: () => string): Sealer {
  const keys = keyTexts.map((text) => deriveKey(text))
  let own: SealingKey | undefined
  const oldest = () => (own ??= ownKey && deriveKey(ownKey()))
  const newest = () => keys[0] ?? oldest()
  return {
    hasKey: keys.length > 0 || ownKey !== undefined,
    newest: () => newest()?.id,
    seal(secret, subject) {
      const key = newest()
      if (!key) throw new TypeError('A secret cannot be sealed without a key.')
      return sealWith(key, secret, subject)
    },
    open(sealed, subject) {
      const isKey = ({ id }: SealingKey) => id === sealed.key
      const key = keys.find(isKey) ?? [oldest()].find((one) => one && isKey(one))
      return key ? openWith(key, sealed, subject) : { fault: 'unknown-key' }
    },
  }
}

interface SealingKey {
  readonly id: string
  readonly bytes: Buffer
}

function deriveKey(text: string): SealingKey {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'dragoman: sealed secrets', 32))
  const id = createHmac('sha256', bytes).update('id').digest('hex').slice(0, 12)
  return { id, bytes }
}

function sealWith({ id, bytes }: SealingKey, secret: string, subject: string): SealedSecret {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(subject))
  const box = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { key: id, nonce: nonce.toString('base64url'), box: box.toString('base64url') }
}

function openWith(
  { bytes }: SealingKey,
  { nonce, box }: SealedSecret,
  subject: string,
): OpenedSecret {
  const content = Buffer.from(box, 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, bytes, Buffer.from(nonce, 'base64url'), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(subject))
    decipher.setAuthTag(content.subarray(-tagBytes))
    const opened = [decipher.update(content.subarray(0, -tagBytes)), decipher.final()]
    return { secret: Buffer.concat(opened).toString('utf8') }
  } catch {
    return { fault: 'changed' }
  }
}
