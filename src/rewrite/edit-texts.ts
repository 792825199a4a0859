import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import { type MeasuredJson, elementsAt, membersAt } from '../lib/json/layout.ts'
import { isObject } from '../lib/json/object.ts'
import { skipSpace } from '../lib/json/scan.ts'
import type { Work } from '../lib/turns.ts'
import type { TextChange } from './align.ts'
import type { DialectRequest } from './dialect-request.ts'
import { type JsonPath, type PathTree, treeOf, valueAt, withTexts } from './path.ts'
import { TextSet } from '../lib/text-map.ts'

/** A string of the body that may be one of the texts that changed. */
interface Place {
  readonly path: JsonPath
  readonly from: string
}

/**
 * Finds the strings of a client's body that the codec reads as the texts that changed: it decodes the
 * body once more with a mark behind each string of the same content, and looks where the marks come out.
 * Returns the new text of each string that it has found.
 */
export function* findTexts(
  { json }: Pick<RequestBody, 'json'>,
  changes: readonly TextChange[],
  { decode }: Pick<DialectRequest, 'decode'>,
): Work<PathTree> {
  const wanted = new TextSet(changes.map(({ from }) => from))
  const places: Place[] = []
  findPlaces(json, wanted, [], places)
  yield
  const decoded = yield* decodeMarked(json, places, decode)
  /** By the index of the place. Different texts for one place exclude each other. */
  const texts = new Map<number, string | undefined>()
  for (const { path, from, to } of changes) {
    const index = placeOf(valueAt(decoded, path), from)
    if (index === undefined || !places[index]) continue
    texts.set(index, texts.has(index) && texts.get(index) !== to ? undefined : to)
  }
  yield
  return treeOf(
    [...texts].flatMap(([index, text]) =>
      text === undefined ? [] : [{ path: places[index]!.path, text }],
    ),
  )
}

function findPlaces(
  value: unknown,
  wanted: ReadonlySet<string>,
  path: JsonPath,
  found: Place[],
): void {
  if (typeof value === 'string') {
    if (wanted.has(value)) found.push({ path, from: value })
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      findPlaces(item, wanted, [...path, index], found)
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      findPlaces(value[name], wanted, [...path, name], found)
    }
  }
}

/** An invisible separator, which no codec reads as a part of a word. */
const sign = '\u2063'

function mark(from: string, index: number): string {
  return `${from}${sign}${index}${sign}`
}

/** The index of the place whose marked text this is. */
function placeOf(text: unknown, from: string): number | undefined {
  if (typeof text !== 'string' || !text.startsWith(from)) return undefined
  const [, digits] = /^\u2063(\d+)\u2063$/.exec(text.slice(from.length)) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Decodes the body with marks. A text such as `user` is also the content of strings that the codec does
 * not accept with a mark, such as a `role`; the names of their members distinguish these.
 */
function* decodeMarked(
  json: RequestBody['json'],
  places: readonly Place[],
  decode: DialectRequest['decode'],
): Work<unknown> {
  const marked: { readonly path: JsonPath; readonly text: string }[] = []
  for (const [index, { path, from }] of places.entries()) {
    marked.push({ path, text: mark(from, index) })
  }
  const all = yield* attempt(json, marked, decode)
  if (all !== undefined) return all
  const accepted: (typeof marked)[] = []
  for (const some of Map.groupBy(marked, ({ path }) => nameOf(path)).values()) {
    if ((yield* attempt(json, some, decode)) !== undefined) accepted.push(some)
  }
  return yield* attempt(json, accepted.flat(), decode)
}

function nameOf(path: JsonPath): string | number | undefined {
  return path.findLast((name) => typeof name === 'string')
}

/** `undefined` if the codec does not accept the marks. */
function* attempt(
  json: RequestBody['json'],
  places: readonly { readonly path: JsonPath; readonly text: string }[],
  decode: DialectRequest['decode'],
): Work<unknown> {
  const tree = treeOf(places)
  yield
  const marked = { json: withTexts(json, tree) as RequestBody['json'] }
  yield
  try {
    const decoded = decode(marked)
    yield
    return decoded
  } catch (error) {
    if (GatewayError.isInstance(error)) return undefined
    throw error
  }
}

/** The edits that write the texts of a tree into the bytes of the body. */
export function textEdits(json: MeasuredJson, tree: PathTree): ByteEdit[] {
  const edits: ByteEdit[] = []
  editAt(json, skipSpace(json.bytes, 0), tree, edits)
  return edits
}

function editAt(json: MeasuredJson, start: number, { below }: PathTree, edits: ByteEdit[]): void {
  if (below.size === 0) return
  const isList = [...below.keys()].every((name) => typeof name === 'number')
  const elements = isList ? elementsAt(json, start) : []
  const members = isList ? undefined : membersAt(json, start)
  for (const [name, node] of below) {
    const range = members ? members.get(name as string)?.value : elements[name as number]
    if (!range) continue
    if (node.text === undefined) editAt(json, range.start, node, edits)
    else edits.push({ ...range, text: JSON.stringify(node.text) })
  }
}
