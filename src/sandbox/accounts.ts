import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from './json.ts'

/** One account at the sandboxed providers. Its API key alone tells it from the others. */
export type SandboxAccount = { id: string; key: string }

/** A response that `POST /v1/responses` kept, with the whole conversation up to and including it. */
export type StoredResponse = {
  response: JsonObject
  /** What a response in the background turns into when it is next asked after. */
  becomes?: JsonObject
  /** The items of this request, each with an id, oldest first. */
  inputItems: JsonObject[]
  /** Everything said so far, this response's output included, oldest first. */
  transcript: JsonObject[]
}

/** An account at work: what it remembers and what it can vouch for. */
export type Account = SandboxAccount & {
  /** Stored responses by id, oldest first. */
  responses: Map<string, StoredResponse>
  /** Base64 proof that this account produced `content`; any other content or account fails it. */
  sign(content: string): string
  /** True only for a signature that `sign` of this account made for the same content. */
  signed(content: string, signature: string): boolean
}

const mostResponses = 10_000

/** Two accounts, so that a pool with a spare can be tried without any configuration. */
export const defaultAccounts: readonly SandboxAccount[] = [
  { id: 'a', key: 'sandbox-key-a' },
  { id: 'b', key: 'sandbox-key-b' },
]

/** Signatures depend on the key alone, so that they stay valid when the sandbox is restarted. */
export function openAccount({ id, key }: SandboxAccount): Account {
  const proof = (nonce: string, content: string) =>
    createHmac('sha256', key).update(`${nonce}.${content}`).digest()

  return {
    id,
    key,
    responses: new Map(),
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

/** Keeps a response, and forgets the oldest one when there are very many. */
export function storeResponse(account: Account, id: string, stored: StoredResponse): void {
  account.responses.set(id, stored)
  if (account.responses.size <= mostResponses) return
  const oldest = account.responses.keys().next().value
  if (oldest !== undefined) account.responses.delete(oldest)
}
