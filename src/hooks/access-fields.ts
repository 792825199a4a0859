import type { Ended } from '../contract/exchange.ts'
import type { Summary } from '../contract/outcome.ts'
import type { AccessFields, GatewayPlugin } from '../contract/plugin.ts'
import { cleanText } from '../kit/clean-text.ts'
import { isObject } from '../lib/json/object.ts'
import { inScope } from '../lib/named-scope.ts'
import { type About, aboutOf } from './plugin-failures.ts'

/** The fields that one plugin adds to a line. */
const mostFields = 16

/** In characters. */
const longestText = 256

const fieldName = /^[A-Za-z]\w{0,63}$/

type Fields = Readonly<Record<string, AccessFields>>
type Logger = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAccessLog'>>

/** Called for a plugin that fails, or whose fields cannot all be logged. */
type OnError = (plugin: GatewayPlugin, error: unknown, about: About) => void

/**
 * Returns the fields of plugins for the line of an exchange, by the names of the plugins. A plugin fails alone:
 * the line is written without the fields that cannot be used.
 */
export function createAccessFields(
  plugins: readonly GatewayPlugin[],
  onError: OnError,
): (exchange: Ended, summary: Summary) => Fields | undefined {
  const loggers = plugins.filter((plugin): plugin is Logger => plugin.onAccessLog !== undefined)
  return (exchange, summary) => {
    let all: Record<string, AccessFields> | undefined
    for (const plugin of loggers) {
      const failed = (error: unknown) => onError(plugin, error, aboutOf(exchange, plugin))
      const fields = fieldsOf(plugin, { exchange, summary }, failed)
      if (fields) all = { ...all, [plugin.name]: fields }
    }
    return all
  }
}

function fieldsOf(
  plugin: Logger,
  input: { readonly exchange: Ended; readonly summary: Summary },
  failed: (error: unknown) => void,
): AccessFields | undefined {
  try {
    const returned: unknown = inScope(plugin.name, () => plugin.onAccessLog(input))
    if (returned === undefined) return undefined
    if (!isObject(returned) || 'then' in returned) throw new Error('It returned no fields.')
    return copyOf(returned, input.exchange, failed)
  } catch (error) {
    failed(error)
    return undefined
  }
}

/** A copy: lines are formatted later, and the plugin may change its object for the next call. */
function copyOf(
  returned: Readonly<Record<string, unknown>>,
  exchange: Ended,
  failed: (error: unknown) => void,
): AccessFields | undefined {
  const entries = Object.entries(returned).filter(([, value]) => value !== undefined)
  const usable = entries.filter(([name, value]) => fieldName.test(name) && isValue(value))
  const kept = usable.slice(0, mostFields)
  if (kept.length < entries.length) failed(new Error(unusable))
  if (kept.length === 0) return undefined
  return Object.fromEntries(
    kept.map(([name, value]) => [name, shown(value, exchange)]),
  ) as AccessFields
}

const unusable = `Some of its fields are left out: a plugin adds ${mostFields} at most, of text, numbers and booleans.`

function isValue(value: unknown): boolean {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function shown(value: unknown, exchange: Ended): unknown {
  return typeof value === 'string' ? cleanText(value, exchange, longestText) : value
}
