import type { Problem } from '../../contract/problems.ts'
import type { StandardSchema } from '../../contract/standard-schema.ts'
import { isObject } from '../../lib/json/object.ts'
import { joinPath, shownKey } from '../../lib/paths.ts'
import { withoutTexts } from '../secrets/mask.ts'

/** Where a value of the options stands. */
export type Keys = readonly PropertyKey[]

/** Options whose `env:NAME` and `file:/path` are replaced. */
export interface ResolvedOptions {
  readonly value: unknown
  /** The values of variables and files. */
  readonly secrets: ReadonlySet<string>
  /** Other texts that may be secrets, with their places. */
  readonly literals: readonly { readonly text: string; readonly keys: Keys }[]
  /** Missing variables and files. */
  readonly missing: readonly { readonly keys: Keys; readonly problem: Problem }[]
}

/** The path of a value of the options, without what may be a secret in a key. */
export function shownPath(path: string, keys: Keys): string {
  return joinPath(
    path,
    keys.map((key) => (typeof key === 'number' ? key : shownKey(String(key)))),
  )
}

/** The texts that no message may repeat: all but those that the schema marks with `secret: false`. */
export function hiddenTexts(
  { secrets, literals }: ResolvedOptions,
  schema: SchemaNode | undefined,
): ReadonlySet<string> {
  const isShown = (keys: Keys) => nodeAt(schema, keys)?.secret === false
  const shown = new Set(literals.flatMap(({ text, keys }) => (isShown(keys) ? text : [])))
  const hidden = literals.flatMap(({ text }) => (shown.has(text) ? [] : text))
  return new Set([...secrets, ...hidden])
}

/** A message without these texts. */
export function textWithout(message: string, hidden: ReadonlySet<string>): string {
  return withoutTexts(message, hidden, '...')
}

/** A part of a JSON Schema. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** The options as JSON Schema; `undefined` where the library of the schema has no way to say it. */
export function describedBy(schema: StandardSchema): SchemaNode | undefined {
  try {
    return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })
  } catch {
    return undefined
  }
}

/** The part of a schema that a path leads to. */
export function nodeAt(root: SchemaNode | undefined, keys: Keys): SchemaNode | undefined {
  return keys.reduce<SchemaNode | undefined>((node, key) => {
    const { properties, items, additionalProperties } = node ?? {}
    const next = isObject(properties) ? properties[String(key)] : undefined
    const below = next ?? (typeof key === 'number' ? items : additionalProperties)
    return isObject(below) ? below : undefined
  }, root)
}
