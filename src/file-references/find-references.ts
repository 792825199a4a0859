import type { RequestBody } from '../contract/body.ts'
import {
  type ByteRange,
  decodeString,
  endOfValue,
  findMember,
  passElements,
  passMembers,
} from '../lib/json/scan.ts'
import type { FileField, FileFields } from '../contract/files.ts'
import { type ReferencePath, findReferencePaths } from './reference-paths.ts'

/** A place in a body that names an upload. */
export interface FileReference extends FileField {
  /** The field for error messages: `messages[0].content[1].image_url.url`. */
  readonly param: string
  /** The byte range of the member to replace, key and value. */
  readonly at: ByteRange
  /** The byte range of the name, with its quotes. */
  readonly nameAt: ByteRange
}

/**
 * Finds the uploads that a body names, in order of their places; `owns` recognises the paths of
 * uploads. The parsed JSON yields the paths to them; the bytes are scanned once, along these paths
 * only.
 */
export function findReferences(
  { bytes, json }: Pick<RequestBody, 'bytes' | 'json'>,
  fields: FileFields,
  owns: (name: string) => boolean,
): readonly FileReference[] {
  const referencePath = findReferencePaths(json, fields, owns)
  return referencePath ? locate(bytes, 0, referencePath, '').found : []
}

/** The references in a value, and the offset where the value ends. */
interface Located {
  readonly found: readonly FileReference[]
  readonly end: number
}

function locate(bytes: Buffer, at: number, referencePath: ReferencePath, path: string): Located {
  if (bytes[at] === openBracket) return locateInList(bytes, at, referencePath, path)
  if (bytes[at] === openBrace) return locateInObject(bytes, at, referencePath, path)
  const end = endOfValue(bytes, at)
  const { field } = referencePath
  const range = { start: at, end }
  return { found: field ? [{ ...field, at: range, nameAt: range, param: path }] : [], end }
}

const openBracket = 0x5b
const openBrace = 0x7b

function locateInList(
  bytes: Buffer,
  at: number,
  { branches }: ReferencePath,
  path: string,
): Located {
  const found: FileReference[] = []
  let index = 0
  const end = passElements(bytes, at, (start) => {
    const referencePath = branches.get(index++)
    if (!referencePath) return endOfValue(bytes, start)
    const passed = locate(bytes, start, referencePath, `${path}[${index - 1}]`)
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
): Located {
  /** By member. Of duplicate members the last one counts, as in `JSON.parse`. */
  const found = new Map<string, readonly FileReference[]>()
  const end = passMembers(bytes, at, (key, start) => {
    const name = decodeString(bytes, key)
    found.delete(name)
    if (name === field?.member) {
      const end = endOfValue(bytes, start)
      const { within } = field
      const nameAt = within === undefined ? { start, end } : findMember(bytes, start, within)
      const at = { start: key.start, end }
      if (nameAt) found.set(name, [{ ...field, at, nameAt, param: paramOf(field, path) }])
      return end
    }
    const referencePath = branches.get(name)
    if (!referencePath) return endOfValue(bytes, start)
    const passed = locate(bytes, start, referencePath, join(path, name))
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
