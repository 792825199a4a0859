import { type ByteRange, decodeString, eachElement, eachMember } from './scan.ts'

/** The bytes with every edit applied; the same buffer where there is none. Edits do not overlap. */
export function applyEdits(bytes: Buffer, edits: readonly ByteEdit[]): Buffer {
  if (edits.length === 0) return bytes
  const parts: Buffer[] = []
  let position = 0
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    parts.push(bytes.subarray(position, edit.start), Buffer.from(edit.text))
    position = edit.end
  }
  parts.push(bytes.subarray(position))
  return Buffer.concat(parts)
}

/** The edits that take a member, with one of its commas, out of the object at `object`. */
export function removeMember(bytes: Buffer, object: ByteRange, name: string): ByteEdit[] {
  const members: { start: number; end: number; doomed: boolean }[] = []
  eachMember(bytes, object.start, (key, value) => {
    members.push({ start: key.start, end: value.end, doomed: decodeString(bytes, key) === name })
  })
  const doomed = new Set<ByteRange>(members.filter((member) => member.doomed))
  return doomed.size === 0 ? [] : removeElements(object, members, doomed, '')
}

/**
 * The edits that take some of a list's `elements` out, each with one comma. Where none would be
 * left, `instead` takes their place.
 */
export function removeElements(
  list: ByteRange,
  elements: readonly ByteRange[],
  doomed: ReadonlySet<ByteRange>,
  instead: string,
): ByteEdit[] {
  if (doomed.size === elements.length) {
    return [{ start: list.start + 1, end: list.end - 1, text: instead }]
  }
  const edits: ByteEdit[] = []
  let kept = false
  elements.forEach((element, index) => {
    const next = elements[index + 1]
    const previous = elements[index - 1]
    if (!doomed.has(element)) kept = true
    // Up to the next one, or, where everything after it goes as well, from the one before.
    else if (kept && previous) edits.push({ start: previous.end, end: element.end, text: '' })
    else if (next) edits.push({ start: element.start, end: next.start, text: '' })
  })
  return edits
}

/** What becomes of an element: it goes, or changes inside. */
export type ElementEdit = 'remove' | readonly ByteEdit[]

/**
 * The edits of a list whose elements are judged one by one, in order. Where none would be left,
 * `instead` takes their place.
 */
export function editElements(
  bytes: Buffer,
  list: ByteRange,
  judge: (element: ByteRange, index: number) => ElementEdit,
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

export interface ByteEdit extends ByteRange {
  readonly text: string
}
