import { z } from 'zod'

/** What the person who wrote a value is told about it. `hidden` values are never repeated. */
export type Expectation = { expected: string; example: unknown; hidden?: boolean }

export const expects = (expected: string, example: unknown): Expectation => ({ expected, example })

/** What the configuration page and the JSON Schema say about the absence of a setting. */
export interface Absence {
  /** The value that applies then. */
  readonly default?: unknown
  /** The same in words, where it depends on something else. */
  readonly defaultText?: string
}

/** A setting with its description: sentences of one line, in Markdown. */
export function described<S extends z.ZodType>(
  schema: S,
  description: string,
  absence: Absence = {},
): S {
  return schema.meta({ ...schema.meta(), description, ...absence })
}

/** What a schema says of the place that a path leads to. */
export interface NodeDescription {
  /** Of the innermost place on the path that says what it expects. */
  expectation: Expectation | undefined
  /** The settings there, where the place is an object. */
  keys: string[]
}

/** Follows a path through objects, lists, records and unions of them. */
export function describeNode(schema: z.ZodType, path: readonly PropertyKey[]): NodeDescription {
  let node: Node | undefined = unwrap(schema as Node)
  let expectation = expectationOf(node)
  for (const key of path) {
    node = node && child(node, key)
    const own = node && expectationOf(node)
    // An object without words of its own ends what was said of the place around it.
    expectation = own ?? (node?._zod.def.shape ? undefined : expectation)
  }
  return { expectation, keys: Object.keys(node?._zod.def.shape ?? {}) }
}

/** The parts of zod's schemas that are looked at here. */
interface Node {
  _zod: {
    def: {
      innerType?: Node
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

function unwrap(node: Node): Node {
  return node._zod.def.innerType ? unwrap(node._zod.def.innerType) : node
}

function expectationOf(node: Node): Expectation | undefined {
  const meta = node.meta()
  return typeof meta === 'object' && meta !== null && 'expected' in meta
    ? (meta as Expectation)
    : undefined
}

export const flag = z.boolean().meta(expects('true or false', true))

export const count = z.int().positive().meta(expects('a whole number above 0', 5))

export const bytes = z
  .int()
  .positive()
  .meta({ ...expects('a whole number of bytes above 0', 67_108_864), unit: 'bytes' })

// What a timer of Node takes at most.
export const milliseconds = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({
    ...expects('a whole number of milliseconds from 1 to 2147483647', 10_000),
    unit: 'milliseconds',
  })

/** Ids stand in headers, logs and command lines. */
export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:@-]{0,127}$/)
  .meta(expects('1 to 128 letters, digits and ._:@-, beginning with a letter or digit', 'team-a'))

export const secret = z
  .string()
  .min(1)
  .meta({ ...expects('a non-empty string, or env:NAME', 'env:NAME'), hidden: true })

export const modelName = z
  .string()
  .min(1)
  .meta(expects('the name of a model, or a pattern', 'gpt-*'))

export const modelNames = z
  .array(modelName)
  .min(1)
  .meta(expects('a list of at least one model name or pattern', ['gpt-*']))

export const lossesSchema = z
  .enum(['drop', 'native', 'reject'])
  .meta(expects("'drop', 'native' or 'reject'", 'drop'))
