import type { RequestBody } from '../contract/body.ts'
import {
  type ByteRange,
  decodeString,
  endOfValue,
  passElements,
  passMembers,
} from '../lib/json/scan.ts'
import type { FileField, FileFields } from '../contract/files.ts'
import { type ReferencePath, findReferencePaths } from './reference-paths.ts'

/** A file that a body names. */
export interface FileReference extends FileField {
  /** As errors refer to it: `messages[0].content[1].image_url.url`. */
  readonly param: string
  /** The member that gives way: its key and its value. */
  readonly at: ByteRange
}

/**
 * The files of a body, of those that `owns` knows, in their order. What is parsed tells the ways to
 * them; the bytes are passed once, and only where there is such a way.
 */
export function findReferences(
  { bytes, json }: Pick<RequestBody, 'bytes' | 'json'>,
  fields: FileFields,
  owns: (name: string) => boolean,
): readonly FileReference[] {
  const way = findReferencePaths(json, fields, owns)
  return way ? locate(bytes, 0, way, '').found : []
}

/** What was found in a value, and where that ends. */
interface Passed {
  readonly found: readonly FileReference[]
  readonly end: number
}

function locate(bytes: Buffer, at: number, way: ReferencePath, path: string): Passed {
  return bytes[at] === openBracket
    ? locateInList(bytes, at, way, path)
    : locateInObject(bytes, at, way, path)
}

const openBracket = 0x5b

function locateInList(
  bytes: Buffer,
  at: number,
  { branches }: ReferencePath,
  path: string,
): Passed {
  const found: FileReference[] = []
  let index = 0
  const end = passElements(bytes, at, (start) => {
    const way = branches.get(index++)
    if (!way) return endOfValue(bytes, start)
    const passed = locate(bytes, start, way, `${path}[${index - 1}]`)
    for (const file of passed.found) found.push(file)
    return passed.end
  })
  return { found, end }
}

function locateInObject(
  bytes: Buffer,
  at: number,
  { field, branches }: ReferencePath,
  path: string,
): Passed {
  /** Of members that stand twice the last ones, as `JSON.parse` has it. */
  const found = new Map<string, readonly FileReference[]>()
  const end = passMembers(bytes, at, (key, start) => {
    const name = decodeString(bytes, key)
    found.delete(name)
    if (name === field?.member) {
      const at = { start: key.start, end: endOfValue(bytes, start) }
      found.set(name, [{ ...field, at, param: paramOf(field, path) }])
      return at.end
    }
    const way = branches.get(name)
    if (!way) return endOfValue(bytes, start)
    const passed = locate(bytes, start, way, join(path, name))
    found.set(name, passed.found)
    return passed.end
  })
  return { found: [...found.values()].flat(), end }
}

function paramOf({ member, within }: FileField, path: string): string {
  return `${join(path, member)}${within === undefined ? '' : `.${within}`}`
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`
}
