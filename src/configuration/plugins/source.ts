import { hash } from 'node:crypto'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import { isObject } from '../../lib/json/object.ts'
import { secretMask, shownSecret } from '../secrets.ts'
import { nodeAt } from '../../kit/options/options.ts'

/** Where a plugin comes from that the configuration names by its module. */
interface PluginSource {
  readonly use: string
  /** Its options as operators see them. Absent: the entry sets no options. */
  readonly options?: unknown
  /** Differs for other options, and for other values of the variables and files that they name. */
  readonly digest: string
}

const sources = new WeakMap<GatewayPlugin, PluginSource>()

/** Where a plugin comes from; `undefined` for one that is an object of the configuration itself. */
export function sourceOf(plugin: GatewayPlugin): PluginSource | undefined {
  return sources.get(plugin)
}

/** Notes where a plugin comes from. */
export function notePluginSource(plugin: GatewayPlugin, source: PluginSource): void {
  sources.set(plugin, source)
}

/**
 * A digest of a reference with its resolved options. Of options that are no JSON, which code may have, only the
 * place counts.
 */
export function digestOf(use: string, options: unknown): string {
  return hash('sha256', jsonOf([use, options]) ?? use, 'base64url')
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Options nested more deeply, and longer ones, are not shown. */
const deepest = 5
const mostMembers = 50

/** A name that is more likely one of an option than a secret. */
const shownName = /^[A-Za-z][\w-]{0,31}$/

/**
 * Options as operators see them: numbers and booleans as they are, a text as `set`, since it may be a secret, or as the
 * `env:NAME` or `file:PATH` that it is. A text that the schema marks with `secret: false` is shown. `schema`: the
 * options as JSON Schema.
 */
export function shownOptions(
  options: unknown,
  schema: Readonly<Record<string, unknown>> | undefined,
  depth = 0,
): unknown {
  if (typeof options === 'string') return schema?.secret === false ? options : shownSecret(options)
  if (['number', 'boolean'].includes(typeof options) || options === null) {
    return schema?.secret === true ? secretMask : options
  }
  const entries = Object.entries(Object(options) as object)
  if (depth === deepest || entries.length > mostMembers) return secretMask
  if (Array.isArray(options))
    return options.map((one, index) => shownOptions(one, nodeAt(schema, [index]), depth + 1))
  if (!isObject(options)) return secretMask
  return Object.fromEntries(
    entries.map(([name, one]) => [
      shownName.test(name) ? name : '...',
      shownOptions(one, nodeAt(schema, [name]), depth + 1),
    ]),
  )
}
