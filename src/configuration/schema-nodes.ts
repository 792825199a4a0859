import { z } from 'zod'

/** The description of valid values in a problem. Problems do not repeat `hidden` values. */
export type Expectation = {
  expected: string
  example: unknown
  hidden?: boolean
  /** Shown to operators only as `set`, or as the place that it names. Problems do not repeat it. */
  secret?: boolean
  /** Shown to operators without credentials, query and path. */
  url?: boolean
}

/** Metadata of a schema: the valid values in words, and an example. */
export const expects = (expected: string, example: unknown): Expectation => ({ expected, example })

/** A setting that every configuration must have. `description`: sentences on one line, in Markdown. */
export function required<S extends z.ZodType>(schema: S, description: string): S {
  return schema.meta({ ...schema.meta(), description })
}

/** A setting that may be absent. `absent`: the effect in words. Without it: a group of settings. */
export function optional<S extends z.ZodType>(schema: S, description: string, absent?: string) {
  return schema.meta({ ...schema.meta(), description, defaultText: absent }).optional()
}

/** A setting with a default value. `words`: the default in words, if it depends on something else. */
export function withDefault<S extends z.ZodType>(
  schema: S,
  description: string,
  value: z.util.NoUndefined<z.output<S>>,
  words?: string,
) {
  return schema.meta({ ...schema.meta(), description, defaultText: words }).default(value)
}

/** A group of settings, which have their defaults where the group is absent. */
export function group<S extends z.ZodObject>(schema: S, description: string) {
  return schema.meta({ ...schema.meta(), description }).prefault({} as z.input<S>)
}

/** The part of a schema that a path leads to. */
interface NodeDescription {
  /** The expectation of the innermost node on the path that has one. */
  expectation: Expectation | undefined
  /** The names of the settings, if the node is or may be an object. */
  keys: string[]
}

/** Follows a path through objects, lists, records and unions. */
export function describeNode(schema: z.ZodType, path: readonly PropertyKey[]): NodeDescription {
  let node: Node | undefined = unwrap(schema as Node)
  let expectation = expectationOf(node)
  for (const key of path) {
    node = node && child(node, key)
    const own = node && expectationOf(node)
    // An object without an expectation does not inherit its parent's.
    expectation = own ?? (node?._zod.def.shape ? undefined : expectation)
  }
  return { expectation, keys: node ? keysOf(node) : [] }
}

/** The names of the settings of an object, or of those objects that a setting may be. */
function keysOf(node: Node): string[] {
  const { shape = {}, options = [] } = node._zod.def
  return [...Object.keys(shape), ...options.flatMap((option) => keysOf(unwrap(option)))]
}

/** The parts of zod's schemas that are read to describe a setting. */
export interface Node {
  _zod: {
    def: {
      innerType?: Node
      defaultValue?: unknown
      /** The schema of the value before a transformation. */
      in?: Node
      shape?: Record<string, Node>
      element?: Node
      valueType?: Node
      options?: Node[]
    }
  }
  meta(): unknown
}

function child(node: Node, key: PropertyKey): Node | undefined {
  const { shape, element, valueType, options } = node._zod.def
  if (options) return options.map((option) => child(option, key)).find(Boolean)
  const next = shape?.[String(key)] ?? (typeof key === 'number' ? element : valueType)
  return next && unwrap(next)
}

/** A schema without what makes it optional, has a default or transforms it. */
export function unwrap(node: Node): Node {
  const inner = node._zod.def.innerType ?? node._zod.def.in
  return inner ? unwrap(inner) : node
}

function expectationOf(node: Node): Expectation | undefined {
  const meta = node.meta()
  return typeof meta === 'object' && meta !== null && 'expected' in meta
    ? (meta as Expectation)
    : undefined
}

/** The model that replies name. */
export const replyModelSchema = z
  .enum(['account', 'client'])
  .meta(expects("'account' or 'client'", 'client'))

/** A boolean. */
export const flag = z.boolean().meta(expects('true or false', true))

/** A whole number above 0. */
export const count = z.int().positive().meta(expects('a whole number above 0', 5))

/** A size in bytes. */
export const bytes = z
  .int()
  .positive()
  .meta({ ...expects('a whole number of bytes above 0', 67_108_864), unit: 'bytes' })

/** A duration in milliseconds, at most the longest that a timer of Node supports. */
export const milliseconds = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({
    ...expects('a whole number of milliseconds from 1 to 2147483647', 10_000),
    unit: 'milliseconds',
  })

/** An id, which is valid in headers, logs and command lines. */
export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:@-]{0,127}$/)
  .meta(expects('1 to 128 letters, digits and ._:@-, beginning with a letter or digit', 'team-a'))

/** A secret, `env:NAME` or `file:/path`. */
export const secret = z
  .string()
  .min(1)
  .meta({ ...expects('a non-empty string, env:NAME or file:/path', 'env:NAME'), secret: true })

/** A model name or pattern. */
export const modelName = z
  .string()
  .min(1)
  .meta(expects('the name of a model, or a pattern', 'gpt-*'))

/** Model names and patterns. */
export const modelNames = z
  .array(modelName)
  .min(1)
  .meta(expects('a list of at least one model name or pattern', ['gpt-*']))

/** The form of errors. */
export const errorsSchema = z
  .enum(['spec', 'upstream', 'native'])
  .meta(expects("'spec', 'upstream' or 'native'", 'spec'))

/** The policy for losses. */
export const lossesSchema = z
  .enum(['drop', 'native', 'reject'])
  .meta(expects("'drop', 'native' or 'reject'", 'drop'))
