import type { Problem } from '../../contract/problems.ts'
import { isObject } from '../../lib/json/object.ts'
import { type Keys, type ResolvedOptions, shownPath } from '../../kit/options/options.ts'
import { type EnvironmentVariables, findSecret } from '../secrets.ts'

/** Options deeper than this are passed on as they are. */
const deepest = 32

/**
 * Replaces the texts `env:NAME` and `file:/path` of options by the value of the variable or file, and notes the
 * missing ones. Only of plain objects and lists: in code, options may be anything.
 */
export function resolveOptions(
  options: unknown,
  path: string,
  env: EnvironmentVariables,
): ResolvedOptions {
  const secrets = new Set<string>()
  const literals: { readonly text: string; readonly keys: Keys }[] = []
  const missing: { readonly keys: Keys; readonly problem: Problem }[] = []

  function resolved(value: unknown, keys: Keys, around: readonly unknown[]): unknown {
    if (typeof value === 'string') return resolveText(value, keys)
    // In code, an object may contain itself.
    if (around.length === deepest || around.includes(value)) return value
    const all = [...around, value]
    if (Array.isArray(value)) return value.map((one, index) => resolved(one, [...keys, index], all))
    if (!isPlain(value)) return value
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      resolved(one, [...keys, name], all),
    ])
    return Object.fromEntries(entries) as unknown
  }

  function resolveText(text: string, keys: Keys): string {
    // A `file:` URL is a value like any other.
    if (!/^(?:env:|file:\/(?!\/))/.test(text)) {
      if (text.length >= 8) literals.push({ text, keys })
      return text
    }
    const found = findSecret(text, env)
    if ('message' in found) {
      missing.push({ keys, problem: { path: shownPath(path, keys), ...found } })
      return text
    }
    secrets.add(found.secret)
    return found.secret
  }

  return { value: resolved(options, [], []), secrets, literals, missing }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
