import type { Problem } from '../../contract/problems.ts'
import type { StandardIssue, StandardSchema } from '../../contract/standard-schema.ts'
import { isObject } from '../../lib/json/object.ts'
import { nearest } from '../../lib/nearest.ts'
import { joinPath, shownKey } from '../paths.ts'
import { type EnvironmentVariables, findSecret } from '../secrets.ts'

/** Options deeper than this are passed on as they are. */
const deepest = 32

/** The problems of one plugin that are listed. */
const mostProblems = 20

/** In characters. */
const longestMessage = 300

/** Options with their secrets, which no message may repeat. */
export interface ResolvedOptions {
  readonly value: unknown
  readonly secrets: ReadonlySet<string>
}

/**
 * Replaces the texts `env:NAME` and `file:/path` of options by what is there, and adds problems for those that are not.
 * Only of plain objects and lists: in code, options may be anything.
 */
export function resolveOptions(
  options: unknown,
  path: string,
  env: EnvironmentVariables,
  problems: Problem[],
): ResolvedOptions {
  const secrets = new Set<string>()

  function resolved(value: unknown, at: string, around: readonly unknown[]): unknown {
    if (typeof value === 'string') return text(value, at)
    // In code, an object may contain itself.
    if (around.length === deepest || around.includes(value)) return value
    const all = [...around, value]
    if (Array.isArray(value))
      return value.map((one, index) => resolved(one, `${at}[${index}]`, all))
    if (!isPlain(value)) return value
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      resolved(one, `${at}.${shownKey(name)}`, all),
    ])
    return Object.fromEntries(entries) as unknown
  }

  function text(value: string, at: string): string {
    // A `file:` URL is a value like any other.
    if (!/^(?:env:|file:\/(?!\/))/.test(value)) {
      if (value.length >= 8) secrets.add(value)
      return value
    }
    const found = findSecret(value, env)
    if ('message' in found) {
      problems.push({ path: at, ...found })
      return value
    }
    secrets.add(found.secret)
    return found.secret
  }

  return { value: resolved(options, path, []), secrets }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The problems of options that a schema has refused. Messages repeat no text of the options. */
export function optionProblems(
  issues: readonly StandardIssue[],
  {
    schema,
    path,
    use,
    secrets,
  }: {
    readonly schema: StandardSchema
    readonly path: string
    readonly use: string
    readonly secrets: ReadonlySet<string>
  },
): Problem[] {
  const root = describedBy(schema)
  return issues.slice(0, mostProblems).flatMap((issue) => {
    const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
    const at = joinPath(
      path,
      keys.map((key) => (typeof key === 'number' ? key : shownKey(String(key)))),
    )
    const node = nodeAt(root, keys)
    const { keys: unknown } = issue as { keys?: unknown }
    // As zod reports members that its schema does not have.
    if (Array.isArray(unknown)) return unknown.map((key) => unknownOption(String(key), at, node))
    const message = textWithout(issue.message, secrets).slice(0, longestMessage)
    return [{ path: at, message, fix: fixOf(node, keys.at(-1), use) }]
  })
}

/** A message without the texts of options. */
export function textWithout(message: string, secrets: ReadonlySet<string>): string {
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce(
    (text, secret) =>
      text.replaceAll(secret, '...').replaceAll(JSON.stringify(secret).slice(1, -1), '...'),
    message,
  )
}

/** A part of a JSON Schema. */
type SchemaNode = Readonly<Record<string, unknown>>

/** The options as JSON Schema; `undefined` where the library of the schema has no way to say it. */
export function describedBy(schema: StandardSchema): SchemaNode | undefined {
  try {
    return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })
  } catch {
    return undefined
  }
}

/** The part of a schema that a path leads to. */
export function nodeAt(
  root: SchemaNode | undefined,
  keys: readonly PropertyKey[],
): SchemaNode | undefined {
  return keys.reduce<SchemaNode | undefined>((node, key) => {
    const { properties, items, additionalProperties } = node ?? {}
    const next = isObject(properties) ? properties[String(key)] : undefined
    const below = next ?? (typeof key === 'number' ? items : additionalProperties)
    return isObject(below) ? below : undefined
  }, root)
}

function unknownOption(key: string, at: string, node: SchemaNode | undefined): Problem {
  const known = isObject(node?.properties) ? Object.keys(node.properties) : []
  const meant = nearest(key, known)
  const all = known.length > 0 ? `use one of ${known.join(', ')}` : 'leave it out'
  return {
    path: joinPath(at, [shownKey(key)]),
    message: `unknown option "${shownKey(key)}"`,
    fix: meant === undefined ? all : `did you mean "${meant}"?`,
  }
}

function fixOf(node: SchemaNode | undefined, key: PropertyKey | undefined, use: string): string {
  if (!node) return `see the options of ${use}`
  const { description, type, enum: values, default: fallback, examples } = node
  const example = Array.isArray(examples) ? (examples[0] as unknown) : fallback
  const words = Array.isArray(values)
    ? `one of ${JSON.stringify(values)}`
    : typeof type === 'string' && `a value of type ${type}`
  const parts = [
    `write ${typeof key === 'string' ? `${shownKey(key)}: ` : ''}${words || 'another value'}`,
    typeof description === 'string' && `(${description})`,
    example !== undefined && `for example ${JSON.stringify(example)}`,
  ]
  return parts.filter(Boolean).join(' ').slice(0, longestMessage)
}
