import type { ByteEdit, ByteRange } from './exchange.ts'
import { removeElements } from './json-edit.ts'
import { eachElement } from './json-scan.ts'

/** What becomes of an element: it goes, or changes inside. */
export type Verdict = 'remove' | readonly ByteEdit[]

/**
 * The edits of a list whose elements are judged one by one, in order. Where none would be left,
 * `instead` takes their place.
 */
export function editElements(
  bytes: Buffer,
  list: ByteRange,
  judge: (element: ByteRange, index: number) => Verdict,
  instead = '',
): ByteEdit[] {
  const elements: ByteRange[] = []
  const doomed = new Set<ByteRange>()
  const edits: ByteEdit[] = []
  eachElement(bytes, list.start, (element) => {
    const verdict = judge(element, elements.length)
    elements.push(element)
    if (verdict === 'remove') doomed.add(element)
    else edits.push(...verdict)
  })
  return doomed.size === 0 ? edits : [...edits, ...removeElements(list, elements, doomed, instead)]
}

/** Without edits inside of what another one replaces as a whole. */
export function outermost(edits: readonly ByteEdit[]): ByteEdit[] {
  const kept: ByteEdit[] = []
  for (const edit of edits.toSorted(inOrder)) {
    const last = kept.at(-1)
    if (!last || edit.start >= last.end) kept.push(edit)
  }
  return kept
}

function inOrder(one: ByteEdit, other: ByteEdit): number {
  return one.start - other.start || other.end - one.end
}
