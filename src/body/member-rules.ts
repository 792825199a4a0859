import { isObject } from '../lib/json/object.ts'
import { computedOnce } from '../lib/computed-once.ts'

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
export interface DeclaredMember {
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
export function foldName(name: string): string {
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
  if (!isObject(schema)) return false
  const types = [schema.type].flat().filter((type) => type !== 'null')
  return types.length > 0 && types.every((type) => scalarTypes.has(type))
}
