import type { Signature } from '../../../../src/generate/content.ts'
import { readSignature, writeSignature } from '../../../../src/generate/signatures.ts'
import { part, text } from '../../../../src/usage.ts'
import { dialectName } from './name.ts'

/** The signature of a tool call, where Google's form of the dialect keeps it. */
export function readCallSignature(call: unknown): Signature | undefined {
  const token = text(part(part(call, 'extra_content'), 'google'), 'thought_signature')
  return token ? readSignature(token, dialectName) : undefined
}

/** What stands as `extra_content` beside a call. */
export function extraContent(signature: Signature): object {
  return { google: { thought_signature: writeSignature(signature, dialectName) } }
}
