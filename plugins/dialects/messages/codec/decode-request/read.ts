import type { ToolResult } from '../../../../../src/generate/content.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import * as read from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'

export { readList, readObject } from '../../../../../src/kit/codec/read.ts'

/** Members of a client's request. What is not of its type is answered with the path to it. */

export function readText(json: JsonObject, key: string, path: string): string {
  return read.readText(json[key], `${path}.${key}`)
}

export function readName(json: JsonObject, key: string, path: string): string {
  return read.readName(json[key], `${path}.${key}`)
}

/** Content is a string or a list of blocks, each of which names its type. */
export function readBlocks(content: unknown, path: string): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content, path)]
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array of blocks')
  return content.map((item, position) => {
    const at = `${path}[${position}]`
    const json = read.readObject(item, at)
    return { type: readName(json, 'type', at), json, path: at }
  })
}

export interface Block {
  readonly type: string
  readonly json: JsonObject
  readonly path: string
}

function textBlock(text: string, path: string): Block {
  return { type: 'text', json: { type: 'text', text }, path }
}

/** Notes with what this dialect has in many places. */
export class MessageNotes extends Notes {
  /** What the client calls each result. */
  readonly results = new Map<ToolResult, string>()
  readonly #hints = new Set<string>()

  /** A hint that may stand in many places is told once, where it first stands. */
  hint(path: string, key: string): void {
    if (this.#hints.has(key)) return
    this.#hints.add(key)
    this.extra(at(path, key), 'silent', 'a hint that only the Messages API knows')
  }

  /** Tells hints among the members of an object, and drops the unknown ones with a warning. */
  rest(
    json: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    hints: ReadonlySet<string>,
  ): void {
    for (const key of Object.keys(json)) {
      if (known.has(key) || (json[key] ?? undefined) === undefined) continue
      if (hints.has(key)) this.hint(path, key)
      else this.unknown(known, key, at(path, key), 'only the Messages API may know it')
    }
  }
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
