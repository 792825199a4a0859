import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import type {
  ClientSecret,
  Conversation,
  StoredBatch,
  StoredCache,
  StoredFile,
  StoredMessageBatch,
  StoredMessageFile,
  StoredUpload,
  ImageFile,
  VideoOperation,
  StoredResponse,
  StoredVideo,
  VideoFile,
} from './stored.ts'

/** An account at the sandboxed providers, identified by its API key alone. */
export type SandboxAccount = { id: string; key: string }

/** A running account: its stored records, and the secrets that it signs and encrypts with. */
export type Account = SandboxAccount & {
  /** Stored responses by id. */
  responses: BoundedMap<StoredResponse>
  /** Conversations by id. */
  conversations: BoundedMap<Conversation>
  /** Video jobs at OpenAI by id. */
  videos: BoundedMap<StoredVideo>
  /** Video operations at Gemini by id. */
  operations: BoundedMap<VideoOperation>
  /** The videos of finished operations by id. */
  files: BoundedMap<VideoFile>
  /** Files at OpenAI by id. */
  storedFiles: BoundedMap<StoredFile>
  /** Uploads in parts at OpenAI by id. */
  uploads: BoundedMap<StoredUpload>
  /** Batches at OpenAI by id. */
  batches: BoundedMap<StoredBatch>
  /** Batches of messages at Anthropic by id. */
  messageBatches: BoundedMap<StoredMessageBatch>
  /** Cached contents at Gemini by id. */
  caches: BoundedMap<StoredCache>
  /** Files at Anthropic by id. */
  messageFiles: BoundedMap<StoredMessageFile>
  /** The sessions that ephemeral keys of OpenAI open, by the key. */
  clientSecrets: BoundedMap<ClientSecret>
  /** Images that can be fetched without a key, by id. */
  images: BoundedMap<ImageFile>
  /** A signature of `content` by this account, in base64. Two calls give two signatures. */
  sign(content: string): string
  /** True only for a signature that `sign` of the same account made for the same content. */
  verify(content: string, signature: string): boolean
  /** The content, encrypted and in base64, so that only this account can read it. */
  seal(content: string): string
  /** The content that `seal` of this account encrypted; undefined for any other text. */
  unseal(sealed: string): string | undefined
}

/** Two accounts, so that failover works without any configuration. */
export const defaultAccounts: readonly SandboxAccount[] = [
  { id: 'a', key: 'sandbox-key-a' },
  { id: 'b', key: 'sandbox-key-b' },
]

/** An account without records. Its secrets depend on the key alone, so they survive a restart. */
export function createAccount({ id, key }: SandboxAccount): Account {
  return {
    id,
    key,
    responses: new BoundedMap(),
    conversations: new BoundedMap(),
    videos: new BoundedMap(),
    operations: new BoundedMap(),
    files: new BoundedMap(),
    storedFiles: new BoundedMap(),
    uploads: new BoundedMap(),
    batches: new BoundedMap(),
    messageBatches: new BoundedMap(),
    caches: new BoundedMap(),
    messageFiles: new BoundedMap(),
    clientSecrets: new BoundedMap(),
    images: new BoundedMap(),
    ...signatures(key),
    ...seals(key),
  }
}

function signatures(key: string): Pick<Account, 'sign' | 'verify'> {
  const proof = (nonce: string, content: string) =>
    createHmac('sha256', key).update(`${nonce}.${content}`).digest()
  return {
    sign(content) {
      const nonce = randomBytes(9).toString('base64url')
      return Buffer.concat([Buffer.from(nonce), proof(nonce, content)]).toString('base64')
    },
    verify(content, signature) {
      const bytes = Buffer.from(signature, 'base64')
      if (bytes.length !== 12 + 32) return false
      return timingSafeEqual(bytes.subarray(12), proof(bytes.toString('latin1', 0, 12), content))
    },
  }
}

// Sealed content: 12 bytes of nonce, 16 of authentication tag, then the ciphertext.
function seals(key: string): Pick<Account, 'seal' | 'unseal'> {
  const secret = createHash('sha256').update(`seal.${key}`).digest()
  return {
    seal(content) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce)
      const hidden = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64')
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < 28) return undefined
      const cipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12))
      cipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return cipher.update(bytes.subarray(28), undefined, 'utf8') + cipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
