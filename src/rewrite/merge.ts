import type { ByteEdit } from '../lib/json/edit.ts'
import { type MeasuredJson, elementsAt, membersAt } from '../lib/json/layout.ts'
import { isObject } from '../lib/json/object.ts'
import { isSameJson, ownAt } from '../lib/json/same.ts'
import { type ByteRange, skipSpace } from '../lib/json/scan.ts'

/** A request as the codec writes it: before and after the change. */
interface Versions {
  readonly before: unknown
  readonly after: unknown
}

/** How far the edits reach into the values of the body. */
interface MergeOptions {
  /** Whether only the elements and members that changed are replaced, or the members of the body whole. */
  readonly isDeep: boolean
}

/**
 * The edits that apply a change of the codec's version of a body to the client's own body. Where the client's value
 * has another form than the codec's, the codec's replaces it.
 */
export function mergeEdits(
  json: MeasuredJson,
  body: unknown,
  versions: Versions,
  options: MergeOptions,
): ByteEdit[] {
  const edits: ByteEdit[] = []
  const start = skipSpace(json.bytes, 0)
  mergeObjects({ json, edits, options }, start, body as object, versions)
  return edits
}

interface Merge {
  readonly json: MeasuredJson
  readonly edits: ByteEdit[]
  readonly options: MergeOptions
}

function mergeObjects(merge: Merge, start: number, body: object, versions: Versions): void {
  const before = versions.before as object
  const after = versions.after as object
  const members = membersAt(merge.json, start)
  const removed: string[] = []
  const added: string[] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pair = { before: ownAt(before, name), after: ownAt(after, name) }
    if (isSameJson(pair.before, pair.after)) continue
    const member = members.get(name)
    if (pair.after === undefined) {
      if (member) removed.push(name)
    } else if (member) mergeValues(merge, member.value, ownAt(body, name), pair)
    else added.push(`${JSON.stringify(name)}:${JSON.stringify(pair.after)}`)
  }
  const open = start + 1
  const isEmpty = members.size === removed.length
  if (added.length > 0) {
    merge.edits.push({ start: open, end: open, text: `${added.join()}${isEmpty ? '' : ','}` })
  }
  merge.edits.push(...removals(members, new Set(removed)))
}

/** The edits that remove members, each with one comma. */
function removals(
  members: ReadonlyMap<string, { readonly key: ByteRange; readonly value: ByteRange }>,
  names: ReadonlySet<string>,
): ByteEdit[] {
  if (names.size === 0) return []
  const placed = [...members].toSorted(([, one], [, other]) => one.key.start - other.key.start)
  const left = placed.filter(([name]) => !names.has(name))
  const last = left.at(-1)?.[1]
  return placed.flatMap(([name, { key, value }], index) => {
    if (!names.has(name)) return []
    const next = placed[index + 1]?.[1]
    // Behind the last member that stays, a member goes with the comma before it.
    if (last && key.start > last.key.start) {
      const previous = placed[index - 1]?.[1]
      return [{ start: previous?.value.end ?? key.start, end: value.end, text: '' }]
    }
    return [{ start: key.start, end: next ? next.key.start : value.end, text: '' }]
  })
}

function mergeValues(merge: Merge, range: ByteRange, body: unknown, versions: Versions): void {
  const { before, after } = versions
  if (merge.options.isDeep) {
    if (isObject(before) && isObject(after) && isObject(body)) {
      return mergeObjects(merge, range.start, body, versions)
    }
    if (Array.isArray(before) && Array.isArray(after) && Array.isArray(body)) {
      if (before.length === body.length) return mergeLists(merge, range, body, before, after)
    }
  }
  merge.edits.push({ ...range, text: JSON.stringify(after) })
}

/** Replaces the elements between those at the start and those at the end that stay. */
function mergeLists(
  merge: Merge,
  range: ByteRange,
  body: readonly unknown[],
  before: readonly unknown[],
  after: readonly unknown[],
): void {
  const elements = elementsAt(merge.json, range.start)
  const most = Math.min(before.length, after.length)
  let first = 0
  while (first < most && isSameJson(before[first], after[first])) first++
  let behind = 0
  while (behind < most - first && isSameJson(before.at(-1 - behind), after.at(-1 - behind)))
    behind++
  const [end, newEnd] = [before.length - behind, after.length - behind]
  if (end === newEnd) {
    for (let index = first; index < end; index++) {
      const versions = { before: before[index], after: after[index] }
      if (!isSameJson(versions.before, versions.after)) {
        mergeValues(merge, elements[index]!, body[index], versions)
      }
    }
    return
  }
  const text = after
    .slice(first, newEnd)
    .map((item) => JSON.stringify(item))
    .join()
  merge.edits.push(spliceEdit(range, elements, { first, end, text }))
}

/** The edit that replaces the elements from `first` up to `end` by others, with the commas between. */
function spliceEdit(
  list: ByteRange,
  elements: readonly ByteRange[],
  { first, end, text }: { first: number; end: number; text: string },
): ByteEdit {
  const [from, to] = [elements[first], elements[end - 1]]
  if (text !== '' && first < end) return { start: from!.start, end: to!.end, text }
  const previous = elements[first - 1]
  const next = elements[end]
  if (text === '') {
    if (next) return { start: from!.start, end: next.start, text }
    return { start: previous?.end ?? from!.start, end: to!.end, text }
  }
  if (next) return { start: next.start, end: next.start, text: `${text},` }
  if (previous) return { start: previous.end, end: previous.end, text: `,${text}` }
  return { start: list.start + 1, end: list.start + 1, text }
}
