import type { JsonObject } from '../../../../src/codec.ts'
import { wrong } from '../../../../src/checks.ts'

/** Members of a client's request. What is not of its type is answered with the path to it. */

export function readObject(value: unknown, path: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw wrong(path, 'an object')
}

export function readText(json: JsonObject, key: string, path: string): string {
  const value = json[key]
  if (typeof value === 'string') return value
  throw wrong(`${path}.${key}`, 'a string')
}

export function readName(json: JsonObject, key: string, path: string): string {
  const value = readText(json, key, path)
  if (value === '') throw wrong(`${path}.${key}`, 'a non-empty string')
  return value
}

export function readList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw wrong(path, 'an array')
}

/** Content is a string or a list of blocks, each of which names its type. */
export function readBlocks(content: unknown, path: string): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content, path)]
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array of blocks')
  return content.map((item, position) => {
    const at = `${path}[${position}]`
    const json = readObject(item, at)
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
