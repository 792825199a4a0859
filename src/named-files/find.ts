import type { RequestBody } from '../body.ts'
import type { JsonObject } from '../codec.ts'
import type { ByteRange } from '../exchange.ts'
import { decodeString, eachElement, eachMember } from '../json-scan.ts'
import type { FileField, FileFields } from './fields.ts'

/** A file that a body names. */
export interface NamedFile extends FileField {
  /** As errors refer to it: `messages[0].content[1].image_url.url`. */
  readonly param: string
  /** The member that gives way: its key and its value. */
  readonly at: ByteRange
}

/** Content nests a few levels deep; what nests deeper is none. */
const deepest = 16

/** The files of a body, of those that `owns` knows, in their order. */
export function findNamed(
  { bytes, json }: Pick<RequestBody, 'bytes' | 'json'>,
  { leads, find }: FileFields,
  owns: (name: string) => boolean,
): NamedFile[] {
  const found: NamedFile[] = []

  function look(value: unknown, at: number, { key, path, depth }: Way): void {
    if (typeof value !== 'object' || value === null || depth > deepest) return
    if (Array.isArray(value)) lookAtEach(value, at, { key, path, depth })
    else lookInside(value as JsonObject, at, { key, path, depth })
  }

  function lookAtEach(list: readonly unknown[], at: number, { key, path, depth }: Way): void {
    let index = 0
    eachElement(bytes, at, ({ start }) => {
      look(list[index], start, { key, path: `${path}[${index}]`, depth: depth + 1 })
      index++
    })
  }

  function lookInside(node: JsonObject, at: number, { key, path, depth }: Way): void {
    const members = membersAt(bytes, at)
    const field = find(node, key)
    const range = field && owns(field.name) ? members.get(field.member) : undefined
    if (field && range) {
      const within = field.within === undefined ? '' : `.${field.within}`
      found.push({ ...field, at: range.whole, param: `${join(path, field.member)}${within}` })
    }
    for (const [name, { value }] of members) {
      if (!leads.has(name) || (range && name === field?.member)) continue
      look(node[name], value.start, { key: name, path: join(path, name), depth: depth + 1 })
    }
  }

  look(json, 0, { key: '', path: '', depth: 0 })
  return found
}

/** How a value was come to. */
interface Way {
  readonly key: string
  readonly path: string
  readonly depth: number
}

interface Member {
  readonly whole: ByteRange
  readonly value: ByteRange
}

/** Of members that stand twice the last ones, as `JSON.parse` has it. */
function membersAt(bytes: Buffer, at: number): Map<string, Member> {
  const members = new Map<string, Member>()
  eachMember(bytes, at, (key, value) => {
    const whole = { start: key.start, end: value.end }
    members.set(decodeString(bytes, key), { whole, value })
  })
  return members
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`
}
