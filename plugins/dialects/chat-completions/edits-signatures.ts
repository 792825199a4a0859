import type { ByteEdit, ByteRange } from '../../../src/exchange.ts'
import { isWrapped, readSignature } from '../../../src/generate/signatures.ts'
import { removeMember } from '../../../src/json-edit.ts'
import { decodeString, eachMember, findMember } from '../../../src/json-scan.ts'
import { dialectName } from './codec/name.ts'

/** Where a call keeps its signature. */
const path = ['extra_content', 'google', 'thought_signature'] as const

/**
 * Takes the signature of another dialect's account out of a replayed call, with the objects around
 * it that hold nothing else, or puts its own in place of its token.
 */
export function callSignatureEdits(bytes: Buffer, call: ByteRange): ByteEdit[] {
  const holders: ByteRange[] = [call]
  for (const name of path) {
    const value = findMember(bytes, (holders.at(-1) as ByteRange).start, name)
    if (!value) return []
    holders.push(value)
  }
  const at = holders.pop() as ByteRange
  const token = bytes[at.start] === 0x22 ? decodeString(bytes, at) : ''
  if (!isWrapped(token)) return []
  const signature = readSignature(token, dialectName)
  return signature?.dialect === dialectName
    ? [{ ...at, text: JSON.stringify(signature.value) }]
    : withoutSignature(bytes, holders)
}

function withoutSignature(bytes: Buffer, holders: readonly ByteRange[]): ByteEdit[] {
  let depth = holders.length - 1
  while (depth > 0 && isAlone(bytes, holders[depth] as ByteRange)) depth--
  return removeMember(bytes, holders[depth] as ByteRange, path[depth] as string)
}

function isAlone(bytes: Buffer, object: ByteRange): boolean {
  let members = 0
  eachMember(bytes, object.start, () => members++)
  return members === 1
}
