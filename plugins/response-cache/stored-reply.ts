import { isUtf8 } from 'node:buffer'

import { z } from 'zod'

import type { Reply } from '../../src/contract/outcome.ts'

/** A text that a header may have. */
const headerText = z.string().regex(/^[\x20-\x7e]*$/)

const form = z.object({
  /** Its content type. */
  type: headerText,
  body: z.string(),
  /** Whether the body is in base64, because it is no text. */
  isBase64: z.boolean().optional(),
  /** The header with the fields that accounts could not be asked for. */
  losses: headerText.optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
})

/** A reply as the store keeps it. */
export type StoredReply = z.output<typeof form>

/** The parts of a reply that are stored. */
interface ReplyFacts {
  readonly type: string
  readonly content: Buffer
  readonly losses: string | undefined
}

export function storedReply({ type, content, losses }: ReplyFacts): StoredReply {
  const isText = isUtf8(content)
  return {
    type,
    body: content.toString(isText ? 'utf8' : 'base64'),
    ...(!isText && { isBase64: true }),
    ...(losses !== undefined && { losses }),
    at: Date.now(),
  }
}

/** The record of a store that others may have written too; `undefined` for one that is no reply. */
export function readStoredReply(record: unknown): StoredReply | undefined {
  return form.safeParse(record).data
}

/** Its value is `hit` for a reply of the cache, and `miss` for one of an account. */
export const header = 'x-dragoman-cache'

/** The stored reply for a client. */
export function replay({ type, body, isBase64, losses, at }: StoredReply): Reply {
  const age = String(Math.max(0, Math.floor((Date.now() - at) / 1_000)))
  return {
    status: 200,
    headers: {
      'content-type': type,
      ...(losses !== undefined && { 'x-dragoman-losses': losses }),
      [header]: 'hit',
      age,
    },
    body: isBase64 ? Buffer.from(body, 'base64') : body,
  }
}
