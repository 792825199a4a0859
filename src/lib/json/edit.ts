import { append } from '../append.ts'
import { type ByteRange, decodeString, eachElement, eachMember } from './scan.ts'

/** Applies all edits, which must not overlap. Without edits, returns the same buffer. */
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

/** The edits that remove a member, and one of its commas, from an object. */
export function removeMember(bytes: Buffer, object: ByteRange, name: string): ByteEdit[] {
  const members: { start: number; end: number; removed: boolean }[] = []
  eachMember(bytes, object.start, (key, value) => {
    members.push({ start: key.start, end: value.end, removed: decodeString(bytes, key) === name })
  })
  const removed = new Set<ByteRange>(members.filter((member) => member.removed))
  return removed.size === 0 ? [] : removeElements(object, members, removed, '')
}

/**
 * The edits that remove some `elements` of a list, each with one comma. `instead` replaces all of
 * them where none would remain.
 */
export function removeElements(
  list: ByteRange,
  elements: readonly ByteRange[],
  removed: ReadonlySet<ByteRange>,
  instead: string,
): ByteEdit[] {
  if (removed.size === elements.length) {
    return [{ start: list.start + 1, end: list.end - 1, text: instead }]
  }
  const edits: ByteEdit[] = []
  let hasRemaining = false
  elements.forEach((element, index) => {
    const next = elements[index + 1]
    const previous = elements[index - 1]
    if (!removed.has(element)) hasRemaining = true
    // Up to the next element; from the previous one where all elements behind it are removed too.
    else if (hasRemaining && previous)
      edits.push({ start: previous.end, end: element.end, text: '' })
    else if (next) edits.push({ start: element.start, end: next.start, text: '' })
  })
  return edits
}

/** The change of an element: removal, or edits inside of it. */
export type ElementEdit = 'remove' | readonly ByteEdit[]

/**
 * The edits of a list. `change` decides about its elements one by one, in order. `instead` replaces
 * all of them where none would remain.
 */
export function editElements(
  bytes: Buffer,
  list: ByteRange,
  change: (element: ByteRange, index: number) => ElementEdit,
  instead = '',
): ByteEdit[] {
  const elements: ByteRange[] = []
  const removed = new Set<ByteRange>()
  const edits: ByteEdit[] = []
  eachElement(bytes, list.start, (element) => {
    const decision = change(element, elements.length)
    elements.push(element)
    if (decision === 'remove') removed.add(element)
    else append(edits, decision)
  })
  return removed.size === 0
    ? edits
    : [...edits, ...removeElements(list, elements, removed, instead)]
}

/** Leaves out edits inside of a range that another edit replaces, and sorts the rest. */
export function outermost(edits: readonly ByteEdit[]): ByteEdit[] {
  const outer: ByteEdit[] = []
  for (const edit of edits.toSorted(inOrder)) {
    const last = outer.at(-1)
    if (!last || edit.start >= last.end) outer.push(edit)
  }
  return outer
}

function inOrder(one: ByteEdit, other: ByteEdit): number {
  return one.start - other.start || other.end - one.end
}

/** Replaces a range with a text. */
export interface ByteEdit extends ByteRange {
  readonly text: string
}
