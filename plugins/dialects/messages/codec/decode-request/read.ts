import type { CacheMark, ToolResult } from '../../../../../src/generate/content.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import { readName, readObject, readText } from '../../../../../src/kit/codec/read.ts'
import { isObject, type JsonObject } from '../../../../../src/lib/json/object.ts'

export { readList, readObject } from '../../../../../src/kit/codec/read.ts'

/** Reads a string member; throws `invalid_value` with its path if it has another type. */
export function readTextMember(json: JsonObject, key: string, path: string): string {
  return readText(json[key], `${path}.${key}`)
}

/** Reads a non-empty string member; throws `invalid_value` with its path otherwise. */
export function readNameMember(json: JsonObject, key: string, path: string): string {
  return readName(json[key], `${path}.${key}`)
}

/** Reads content, a string or a list of blocks, as blocks. */
export function readBlocks(content: unknown, path: string): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content, path)]
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array of blocks')
  return content.map((item, position) => {
    const at = `${path}[${position}]`
    const json = readObject(item, at)
    return { type: readNameMember(json, 'type', at), json, path: at }
  })
}

/** A content block, its type, and its path in the request. */
export interface Block {
  readonly type: string
  readonly json: JsonObject
  readonly path: string
}

function textBlock(text: string, path: string): Block {
  return { type: 'text', json: { type: 'text', text }, path }
}

/** Reads the mark of an object up to which the prompt may be cached. */
export function readCacheMark(
  { cache_control: mark }: JsonObject,
  path: string,
  notes: MessageNotes,
): { readonly cache?: CacheMark } {
  if (!isObject(mark)) return {}
  notes.uses('cache_points', at(path, 'cache_control'))
  return { cache: mark.ttl === '1h' ? { ttl: '1h' } : {} }
}

/** Notes with the results and hints of this dialect. */
export class MessageNotes extends Notes {
  /** The path of each result in the client's request. */
  readonly results = new Map<ToolResult, string>()
  readonly #hints = new Set<string>()

  /** Notes a hint. A hint that occurs in several places is noted once, for the first place. */
  hint(path: string, key: string): void {
    if (this.#hints.has(key)) return
    this.#hints.add(key)
    this.extra(at(path, key), 'silent', 'a hint that only the Messages API supports')
  }

  /** Notes the hints among the members of an object, and the unknown members with a warning. */
  rest(
    json: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    hints: ReadonlySet<string>,
  ): void {
    for (const key of Object.keys(json)) {
      if (known.has(key) || isNothing(json[key])) continue
      if (hints.has(key)) this.hint(path, key)
      else this.unknown(known, key, at(path, key), 'only the Messages API may support it')
    }
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
