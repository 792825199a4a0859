import type { StandardIssue } from '../../contract/standard-schema.ts'
import { isObject } from '../../lib/json/object.ts'
import { shownKey } from '../../lib/paths.ts'
import type { SchemaNode } from './options.ts'

/** The fix that a check gives itself: `params.fix` of zod's custom issues, `fix` of others. */
export function givenFix(issue: StandardIssue): string | undefined {
  const { fix, params } = issue as { readonly fix?: unknown; readonly params?: unknown }
  return textOf(isObject(params) ? params.fix : undefined) ?? textOf(fix)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A value that a schema refuses. */
interface RefusedValue {
  readonly node: SchemaNode | undefined
  /** Its last key. */
  readonly key: PropertyKey | undefined
  readonly value: unknown
  /** Whether a check of the plugin's own refuses it, which no schema describes. */
  readonly isCustom: boolean
  readonly use: string
}

/**
 * A fix that follows from the schema: the one that it gives, or what the value has to be, what it means, and an
 * example.
 */
export function fixOf({ node, key, value, isCustom, use }: RefusedValue): string {
  const { description, default: fallback, examples, fix } = node ?? {}
  const form = isCustom ? undefined : formOf(node ?? {}, value)
  const shown = Array.isArray(examples) ? (examples[0] as unknown) : undefined
  const example = shown ?? (form === undefined ? undefined : fallback)
  if (typeof fix === 'string') return fix
  if (form === undefined && description === undefined && example === undefined)
    return `see the options of ${use}`
  const name = typeof key === 'string' ? `${shownKey(key)}: ` : ''
  const parts = [
    `write ${name}${form ?? 'another value'}`,
    typeof description === 'string' && `(${description})`,
    example !== undefined && `for example ${JSON.stringify(example)}`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** The form of a valid value, in words; `undefined` if the value has this form already. */
function formOf(node: SchemaNode, value: unknown): string | undefined {
  if (Array.isArray(node.enum)) return `one of ${JSON.stringify(node.enum)}`
  const types = typesOf(node)
  const bounds = types.length === 1 ? boundsOf(node) : ''
  if (types.length === 0 || (bounds === '' && types.includes(typeOf(value)))) return undefined
  return `a value of type ${types.join(' or ')}${bounds}`
}

function typesOf({ type, anyOf }: SchemaNode): readonly string[] {
  if (typeof type === 'string') return [type]
  const members = Array.isArray(anyOf) ? anyOf.filter((one) => isObject(one)) : []
  return [...new Set(members.flatMap(typesOf))]
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** The bounds of a number, a text or a list, in words. */
function boundsOf(node: SchemaNode): string {
  return (
    range('', node.minimum, node.maximum) ||
    range(' characters', node.minLength, node.maxLength) ||
    range(' entries', node.minItems, node.maxItems)
  )
}

function range(unit: string, from: unknown, to: unknown): string {
  const least = isBound(from) && ` of at least ${from}${unit}`
  const most = isBound(to) && ` of at most ${to}${unit}`
  return least && most ? ` of ${String(from)} to ${String(to)}${unit}` : least || most || ''
}

/** An integer's own bounds are no help. */
function isBound(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER
}
