import type { AnyDialect } from '../contract/dialect.ts'
import { inScope, outOfScope } from '../lib/named-scope.ts'

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown

/** Members that the gateway compares by identity, and the schemas of options, which libraries make. */
const untouched: ReadonlySet<string> = new Set(['framing', 'constructor', 'options'])

/** Functions that make a reader or a writer of one stream. */
const makers: ReadonlySet<string> = new Set(['observer', 'decodeEvents', 'encodeEvents'])

/**
 * The same dialect with its functions in the scope of its plugin, with the functions of the observers, decoders and
 * encoders that it makes: an error in their timers and promises is then logged with the name of the plugin.
 */
export function scopedDialect(dialect: AnyDialect, plugin: string): AnyDialect {
  return new DialectScope(plugin).copy(dialect)
}

class DialectScope {
  readonly #plugin: string
  /** A dialect may refer to one object several times, or to itself. */
  readonly #copies = new Map<object, object>()

  constructor(plugin: string) {
    this.#plugin = plugin
  }

  copy<T extends object>(part: T): T {
    const known = this.#copies.get(part)
    if (known) return known as T
    const copy: Record<string, unknown> = {}
    this.#copies.set(part, copy)
    for (const name of namesOf(part)) {
      const value = (part as Record<string, unknown>)[name]
      copy[name] = untouched.has(name) ? value : this.#scoped(value, part, name)
    }
    return copy as T
  }

  #scoped(value: unknown, part: object, name: string): unknown {
    if (typeof value === 'function') return this.#function(value as AnyFunction, part, name)
    if (Array.isArray(value)) return value.map((one: unknown) => this.#scoped(one, part, name))
    return isData(value) ? this.copy(value) : value
  }

  #function(work: AnyFunction, part: object, name: string): AnyFunction {
    const call: AnyFunction = (...given) =>
      inScope(this.#plugin, () => Reflect.apply(work, part, given.map(lent)))
    return makers.has(name) ? (...given) => this.#made(call(...given)) : call
  }

  /** A maker's result is not copied: its members change while a stream passes. */
  #made(made: unknown): unknown {
    if (typeof made !== 'object' || made === null) return made
    const functions = new Map<PropertyKey, AnyFunction>()
    const read = (name: PropertyKey) => {
      const value: unknown = Reflect.get(made, name)
      if (typeof value !== 'function') return value
      const known = functions.get(name)
      if (known) return known
      const scoped: AnyFunction = (...given) =>
        inScope(this.#plugin, () => Reflect.apply(value, made, given) as unknown)
      functions.set(name, scoped)
      return scoped
    }
    // Not around `made` itself: a proxy of a frozen object may not return other functions than the object's.
    return new Proxy({}, { get: (_, name) => read(name), has: (_, name) => name in made })
  }
}

/** Own and inherited members: a dialect may be an object of a class. */
function namesOf(part: object): Set<string> {
  const names = new Set<string>()
  for (let at: unknown = part; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  }
  return names
}

function isData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Functions that the gateway lends to a dialect, such as `emit`, are work of the gateway and of other plugins. */
function lent(given: unknown): unknown {
  if (typeof given !== 'function') return given
  return (...its: unknown[]) => outOfScope(() => Reflect.apply(given, undefined, its) as unknown)
}
