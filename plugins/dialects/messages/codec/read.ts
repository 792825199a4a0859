import type { JsonObject } from '../../../../src/codec.ts'
import { wrong } from '../../../../src/checks.ts'
import * as read from '../../../../src/codecs/read.ts'

export { readList, readObject } from '../../../../src/codecs/read.ts'

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
