import type { Routed } from '../../../src/contract/exchange.ts'
import { isPresent } from '../../../src/kit/checks.ts'
import { type ByteEdit, removeMember } from '../../../src/lib/json/edit.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'

const limit = 'max_completion_tokens'
const formerLimit = 'max_tokens'
const quote = 0x22

const none: readonly ByteEdit[] = []

/**
 * Renames `max_completion_tokens` of a native request to an account that takes `max_tokens` and would
 * ignore the newer field. It replaces a `max_tokens` of the client, as it does where a translation
 * reads both.
 */
export function outputLimitEdits({ body, candidate }: Routed): readonly ByteEdit[] {
  const { json, bytes, members } = body
  if (candidate.account.outputLimitField !== formerLimit || !isPresent(json, limit)) return none
  const value = members.get(limit)
  if (!value) return none
  const rename = { ...keyBefore(bytes, value), text: `"${formerLimit}"` }
  if (!members.has(formerLimit)) return [rename]
  return [rename, ...removeMember(bytes, { start: 0, end: bytes.length }, formerLimit)]
}

/** The key of a value, with its quotes. The decoded key has no quote, so that none is escaped in it. */
function keyBefore(bytes: Buffer, value: ByteRange): ByteRange {
  const last = bytes.lastIndexOf(quote, value.start - 1)
  return { start: bytes.lastIndexOf(quote, last - 1), end: last + 1 }
}
