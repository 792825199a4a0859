import { append } from '../lib/append.ts'
import { type ByteEdit, removeElements } from '../lib/json/edit.ts'
import { type ByteRange, decodeString, endOfValue, passMembers } from '../lib/json/scan.ts'

/** A member of a JSON object in its bytes. */
export interface Member extends ByteRange {
  readonly name: string
  readonly key: ByteRange
  readonly value: ByteRange
}

/** The members of one JSON object, and their changes. */
export class Members {
  readonly all: readonly Member[]
  /** From its brace to the end. */
  readonly range: ByteRange
  readonly #removed = new Set<ByteRange>()
  readonly #edits: ByteEdit[] = []
  readonly #added: string[] = []

  /** The object begins at `start`. */
  constructor(bytes: Buffer, start: number) {
    const all: Member[] = []
    const end = passMembers(bytes, start, (key, at) => {
      const value = { start: at, end: endOfValue(bytes, at) }
      all.push({ start: key.start, end: value.end, name: decodeString(bytes, key), key, value })
      return value.end
    })
    this.all = all
    this.range = { start, end }
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** The member of this name. */
  get(name: string): Member | undefined {
    return this.all.find((member) => member.name === name)
  }

  /** Writes another value of a member, as JSON. */
  write({ value }: Member, json: string): void {
    this.#edits.push({ start: value.start, end: value.end, text: json })
  }

  rename({ key }: Member, name: string): void {
    this.#edits.push({ start: key.start, end: key.end, text: JSON.stringify(name) })
  }

  /** Writes other members in place of one, unless the object has them. */
  replace(member: Member, others: Readonly<Record<string, unknown>>): void {
    const texts = Object.entries(others)
      .filter(([name]) => name === member.name || !this.has(name))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    if (texts.length === 0) return this.remove(member)
    this.#edits.push({ start: member.start, end: member.end, text: texts.join(',') })
  }

  remove(member: Member): void {
    this.#removed.add(member)
  }

  /** Adds a member whose value is JSON. */
  add(name: string, json: string): void {
    this.#added.push(`${JSON.stringify(name)}:${json}`)
  }

  /** Adds edits inside of values. */
  edit(edits: readonly ByteEdit[]): void {
    append(this.#edits, edits)
  }

  /** All changes as edits of the bytes. */
  edits(): ByteEdit[] {
    const { all } = this
    const removed = this.#removed
    const hasRest = removed.size < all.length
    const insertion = this.#added.join(',') + (hasRest && this.#added.length > 0 ? ',' : '')
    if (!hasRest && all.length > 0) return removeElements(this.range, all, removed, insertion)
    const at = this.range.start + 1
    const edits = this.#edits
    // The first of the edits at its place.
    if (insertion !== '') edits.unshift({ start: at, end: at, text: insertion })
    if (removed.size > 0) append(edits, removeElements(this.range, all, removed, ''))
    return edits
  }
}

/** The value of a record for a name that a client may have chosen. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Whether a value is `null` or empty: a member with it asks for nothing. */
export function isNothing(bytes: Buffer, { start, end }: ByteRange): boolean {
  return end - start <= 16 && nothing.test(bytes.toString('latin1', start, end))
}

const nothing = /^(?:null|""|\[\s*\]|\{\s*\})$/
