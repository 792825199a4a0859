import type { ByteEdit, ByteRange } from '../../../src/exchange.ts'
import { isWrapped } from '../../../src/generate/signatures.ts'
import { editElements, type Verdict } from '../../../src/json-list.ts'
import { findMember } from '../../../src/json-scan.ts'
import { text } from '../../../src/usage.ts'
import { dialect } from './codec/name.ts'
import { signatureOf } from './codec/reasoning.ts'

/**
 * Takes out reasoning items that carry what only an account of another dialect understands. Where a
 * token has an item of this very dialect inside, that item stands in its place.
 */
export function reasoningEdits(
  bytes: Buffer,
  items: ByteRange,
  list: readonly unknown[],
): ByteEdit[] {
  return editElements(bytes, items, (item, index) => judge(bytes, item, list[index]))
}

function judge(bytes: Buffer, at: ByteRange, item: unknown): Verdict {
  const sealed = text(item, 'encrypted_content')
  if (sealed === undefined || !isWrapped(sealed)) return []
  const signature = signatureOf(item as Record<string, unknown>)
  if (signature?.dialect !== dialect) return 'remove'
  return [
    ...replaced(bytes, at, 'encrypted_content', signature.value),
    ...(signature.id === undefined ? [] : replaced(bytes, at, 'id', signature.id)),
  ]
}

function replaced(bytes: Buffer, item: ByteRange, name: string, value: string): ByteEdit[] {
  const member = findMember(bytes, item.start, name)
  return member ? [{ ...member, text: JSON.stringify(value) }] : []
}
