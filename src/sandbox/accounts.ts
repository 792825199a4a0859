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
  Conversation,
  ImageFile,
  VideoOperation,
  StoredResponse,
  StoredVideo,
  VideoFile,
} from './stored.ts'

/** One account at the sandboxed providers. Its API key alone tells it from the others. */
export type SandboxAccount = { id: string; key: string }

/** An account at work: what it remembers and what it can vouch for. */
export type Account = SandboxAccount & {
  /** Stored responses by id. */
  responses: BoundedMap<StoredResponse>
  /** Conversations by id. */
  conversations: BoundedMap<Conversation>
  /** Video jobs of OpenAI by id. */
  videos: BoundedMap<StoredVideo>
  /** Video operations of Gemini by id. */
  operations: BoundedMap<VideoOperation>
  /** The videos of finished operations by id. */
  files: BoundedMap<VideoFile>
  /** Images that can be fetched without a key, by id. */
  images: BoundedMap<ImageFile>
  /** Base64 proof that this account produced `content`; any other content or account fails it. */
  sign(content: string): string
  /** True only for a signature that `sign` of this account made for the same content. */
  signed(content: string, signature: string): boolean
  /** The content in base64, so that only this account can read it. */
  seal(content: string): string
  /** The content that `seal` of this account was given; undefined for anything else. */
  unseal(sealed: string): string | undefined
}

/** Two accounts, so that a pool with a spare can be tried without any configuration. */
export const defaultAccounts: readonly SandboxAccount[] = [
  { id: 'a', key: 'sandbox-key-a' },
  { id: 'b', key: 'sandbox-key-b' },
]

/** Secrets depend on the key alone, so that they stay valid when the sandbox is restarted. */
export function createAccount({ id, key }: SandboxAccount): Account {
  return {
    id,
    key,
    responses: new BoundedMap(),
    conversations: new BoundedMap(),
    videos: new BoundedMap(),
    operations: new BoundedMap(),
    files: new BoundedMap(),
    images: new BoundedMap(),
    ...signatures(key),
    ...seals(key),
  }
}

function signatures(key: string): Pick<Account, 'sign' | 'signed'> {
  const proof = (nonce: string, content: string) =>
    createHmac('sha256', key).update(`${nonce}.${content}`).digest()
  return {
    sign(content) {
      const nonce = randomBytes(9).toString('base64url')
      return Buffer.concat([Buffer.from(nonce), proof(nonce, content)]).toString('base64')
    },
    signed(content, signature) {
      const bytes = Buffer.from(signature, 'base64')
      if (bytes.length !== 12 + 32) return false
      return timingSafeEqual(bytes.subarray(12), proof(bytes.toString('latin1', 0, 12), content))
    },
  }
}

// Twelve bytes of nonce, sixteen of proof, then the content.
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
