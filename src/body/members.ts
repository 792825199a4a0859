import { isObject } from '../lib/json/object.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { GatewayError } from '../contract/errors.ts'
import {
  type ByteRange,
  decodeString,
  endOfValue,
  passElements,
  passMembers,
} from '../lib/json/scan.ts'

/** The members of an object that an operation declares: each may occur once, in one spelling. */
export interface MemberRules {
  /** By the length of the name in bytes, which is found faster than a name by its text. */
  readonly byLength: readonly (readonly DeclaredMember[] | undefined)[]
  /** By the spelling in small letters, for the other spellings that some servers accept. */
  readonly folded: ReadonlyMap<string, DeclaredMember>
  /** In bytes with quotes. A longer key is no other spelling of a declared name. */
  readonly longestSpelling: number
  /** Names whose values are texts or numbers: a form may not repeat them. */
  readonly scalars: ReadonlySet<string>
}

/** A member that an operation declares. */
interface DeclaredMember {
  readonly name: string
  readonly bytes: Buffer
  /**
   * From 0. The spellings of a name in camelCase and snake_case, which Gemini's accounts both accept,
   * have the same one.
   */
  readonly index: number
  /** The rules of a value that is an object, or of each element of a list. */
  readonly nested: MemberRules | undefined
}

/**
 * Members that the gateway reads in every body. If one occurred twice or in another spelling, the
 * gateway and the account could read different values: one model authorised, another served.
 */
const always = {
  model: { type: 'string' },
  stream: { type: 'boolean' },
  previous_response_id: { type: 'string' },
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])

/** In bytes: a character of a key has no more, as in `\u0041`. */
const escapeBytes = 6
const quotesBytes = 2

/** The rules of a body without a schema. */
export const usualRules: MemberRules = compile(always)

const rulesOfSchema = computedOnce((request: object) =>
  compile({ ...always, ...propertiesIn(request) }),
)

/** The rules of an operation's bodies: the members that its schema names. */
export function rulesOf({
  schema,
}: {
  readonly schema?: { readonly request?: object }
}): MemberRules {
  return schema?.request ? rulesOfSchema(schema.request) : usualRules
}

/** The spelling by which names are compared: some servers ignore case, for `ſ` and `K` (Kelvin) too. */
function foldName(name: string): string {
  return name.toUpperCase().toLowerCase()
}

function compile(properties: Readonly<Record<string, unknown>>): MemberRules {
  const byLength: DeclaredMember[][] = []
  const folded = new Map<string, DeclaredMember>()
  for (const [index, [declared, schema]] of Object.entries(properties).entries()) {
    const inner = propertiesIn(schema)
    const nested = Object.keys(inner).length > 0 ? compile(inner) : undefined
    for (const name of new Set([declared, snakeOf(declared)])) {
      const bytes = Buffer.from(name)
      const member = { name, bytes, index, nested }
      ;(byLength[bytes.length] ??= []).push(member)
      folded.set(foldName(name), member)
    }
  }
  const scalars = Object.keys(properties).filter((name) => isScalar(properties[name]))
  const longest = Math.max(0, ...Array.from(folded.keys(), ({ length }) => length))
  const longestSpelling = longest * escapeBytes + quotesBytes
  return { byLength, folded, longestSpelling, scalars: new Set(scalars) }
}

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The properties of an object, of the elements of a list, or of alternatives. */
function propertiesIn(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {}
  const alternatives = [schema.anyOf, schema.oneOf].flat()
  return Object.assign(
    {},
    ...[schema.items, ...alternatives].map((one) => propertiesIn(one)),
    isObject(schema.properties) ? schema.properties : {},
  ) as Record<string, unknown>
}

function isScalar(schema: unknown): boolean {
  // A file of a form, of which its operation may take several.
  if (!isObject(schema) || schema.format === 'binary') return false
  const types = [schema.type].flat().filter((type) => type !== 'null')
  return types.length > 0 && types.every((type) => scalarTypes.has(type))
}

const openBrace = 0x7b
const openBracket = 0x5b

/**
 * Finds the top-level members of a JSON object. Throws `GatewayError` 400 for a declared member that
 * occurs twice or in another spelling, inside of declared objects too: the gateway and the account could
 * read different values. Other members may be anything.
 */
export class MemberReader {
  /** The positions of the top-level members, by name. */
  readonly members = new Map<string, ByteRange>()
  readonly #bytes: Buffer
  readonly #rules: MemberRules
  readonly #seen = new Seen()

  constructor(bytes: Buffer, rules: MemberRules) {
    this.#bytes = bytes
    this.#rules = rules
  }

  /** Reads the whole object. Throws `TooDeep` for values of more than `depth` levels. */
  readAll(depth: number): void {
    passMembers(this.#bytes, 0, (key, start) => {
      const declared = this.#enter(key)
      const end = declared?.nested
        ? this.#pass(start, declared.nested, declared.name, depth)
        : endOfValue(this.#bytes, start, depth)
      this.#note(key, declared, { start, end })
      return end
    })
  }

  /** The declared member of a top-level key. */
  #enter(key: ByteRange): DeclaredMember | undefined {
    const declared = declaredIn(this.#bytes, key, this.#rules)
    if (declared && this.#seen.add(declared.index)) throw duplicate(declared.name)
    return declared
  }

  #note(key: ByteRange, declared: DeclaredMember | undefined, value: ByteRange): void {
    const name = declared ? declared.name : otherName(this.#bytes, key, this.#rules, '')
    this.members.set(name, value)
  }

  /** Passes over a value with rules, checks it, and returns its end. */
  #pass(start: number, rules: MemberRules, path: string, depth: number): number {
    const bytes = this.#bytes
    if (bytes[start] === openBrace) return this.#passObject(start, rules, path, depth - 1)
    if (bytes[start] !== openBracket) return endOfValue(this.#bytes, start, depth)
    return passElements(bytes, start, (at) => this.#passElement(at, rules, path, depth - 1))
  }

  #passElement(at: number, rules: MemberRules, path: string, depth: number): number {
    return this.#bytes[at] === openBrace
      ? this.#pass(at, rules, path, depth)
      : endOfValue(this.#bytes, at, depth)
  }

  #passObject(at: number, rules: MemberRules, path: string, depth: number): number {
    const seen = new Seen()
    return passMembers(this.#bytes, at, (key, start) => {
      const declared = declaredIn(this.#bytes, key, rules)
      if (!declared) {
        otherName(this.#bytes, key, rules, path)
        return endOfValue(this.#bytes, start, depth)
      }
      if (seen.add(declared.index)) throw duplicate(`${path}.${declared.name}`)
      if (!declared.nested) return endOfValue(this.#bytes, start, depth)
      return this.#pass(start, declared.nested, `${path}.${declared.name}`, depth)
    })
  }
}

/** The indexes of the members that an object has had so far. */
class Seen {
  #first = 0
  #further: Set<number> | undefined

  /** Adds an index; whether it was there already. */
  add(index: number): boolean {
    if (index < 31) {
      const bit = 1 << index
      if ((this.#first & bit) !== 0) return true
      this.#first |= bit
      return false
    }
    this.#further ??= new Set()
    return this.#further.size === this.#further.add(index).size
  }
}

/** The declared member of a key that is written in exactly its spelling. */
function declaredIn(
  bytes: Buffer,
  { start, end }: ByteRange,
  { byLength }: MemberRules,
): DeclaredMember | undefined {
  const candidates = byLength[end - start - 2]
  if (!candidates) return undefined
  for (let index = 0; index < candidates.length; index++) {
    const one = candidates[index] as DeclaredMember
    if (isAt(bytes, start + 1, one.bytes)) return one
  }
  return undefined
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text[index]) return false
  }
  return true
}

/** The name of another key. Throws for one that some servers would take for a declared one. */
function otherName(bytes: Buffer, key: ByteRange, rules: MemberRules, path: string): string {
  const name = decodeString(bytes, key)
  if (key.end - key.start > rules.longestSpelling) return name
  const meant = rules.folded.get(foldName(name))
  if (meant) throw misspelled(meant.name, path)
  return name
}

function duplicate(name: string): GatewayError {
  return new GatewayError('duplicate_parameter', `\`${name}\` occurs more than once.`, {
    param: name,
  })
}

/** The error for `Model` in place of `model`: some servers accept both. */
function misspelled(name: string, path: string): GatewayError {
  const param = path === '' ? name : `${path}.${name}`
  const message = `The key \`${param}\` must be written in exactly this way, without escapes.`
  return new GatewayError('invalid_value', message, { param })
}
