import type { Dialect } from '../contract/dialect.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'

export interface Route {
  readonly method: string
  readonly pattern: string
  readonly dialect: Dialect
  readonly operation: Operation
}

export interface Match {
  readonly route: Route
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** No operation at this place takes the method. */
export interface Mismatch {
  /** The methods that are allowed there; none: nothing is there. */
  readonly allowed: readonly string[]
  /** The first operation there, in whose dialect the client is told. */
  readonly at?: Route
  /** What the path asks to be done to what stands before its last colon, and what can be done. */
  readonly action?: { readonly name: string; readonly known: readonly string[] }
}

export interface Router {
  readonly routes: readonly Route[]
  /** The operation at this place, or why there is none. */
  match(method: string, path: string): Match | Mismatch
}

/** Compiles the operations of all dialects. The first that matches wins. */
export function createRouter(dialects: readonly Dialect[]): Router {
  const routes = dialects.flatMap((dialect) =>
    dialect.operations.flatMap((operation) =>
      operation.paths.map((pattern) => ({ method: operation.method, pattern, dialect, operation })),
    ),
  )
  const fixed = new Map<string, Match>()
  const variable: { route: Route; regExp: RegExp }[] = []
  for (const route of routes) {
    const name = `${route.method} ${route.pattern}`
    if (route.pattern.includes('{')) variable.push({ route, regExp: toRegExp(route.pattern) })
    else if (!fixed.has(name)) fixed.set(name, { route, params: {} })
  }

  function matchVariable(method: string | undefined, path: string): Match | undefined {
    for (const { route, regExp } of variable) {
      if (method !== undefined && route.method !== method) continue
      const groups = regExp.exec(path)?.groups
      const params = groups && decodeParams(groups)
      if (params) return { route, params }
    }
    return undefined
  }

  return {
    routes,
    match(method, path) {
      const match = fixed.get(`${method} ${path}`) ?? matchVariable(method, path)
      if (match) return match
      const shown = routes.filter(({ operation }) => !operation.hidden)
      const there = shown.filter((route) => isAt(route.pattern, path))
      const unknown = unknownAction(shown, method, path, there[0])
      if (unknown) return unknown
      const allowed = [...new Set(there.map((route) => route.method))]
      return there[0] ? { allowed, at: there[0] } : { allowed }
    },
  }
}

/**
 * A path that ends in a colon and an action no operation has, while others have the same place with
 * other actions. Whoever owns the place as it is, its colon included, is more to the point only if
 * its pattern says more words.
 */
function unknownAction(
  routes: readonly Route[],
  method: string,
  path: string,
  owner: Route | undefined,
): Mismatch | undefined {
  const [, place = '', name] = /^(.+):([^/:]+)$/.exec(path) ?? []
  if (name === undefined) return undefined
  const beside = routes.flatMap((route) => {
    const [, pattern = '', action] = /^(.+\}):(\w+)$/.exec(route.pattern) ?? []
    const isBeside =
      action !== undefined &&
      route.method === method &&
      isAt(pattern, place) &&
      wordsIn(pattern) >= wordsIn(owner?.pattern ?? '')
    return isBeside ? [{ route, action }] : []
  })
  const [first] = beside
  if (!first) return undefined
  const known = [...new Set(beside.map(({ action }) => action))]
  return { allowed: [], at: first.route, action: { name, known } }
}

/** How many segments of a pattern are words, or a choice of them. */
function wordsIn(pattern: string): number {
  return pattern.split('/').filter((segment) => /^(?:[^{]+|\{\w+:.+\})$/.test(segment)).length
}

function isAt(pattern: string, path: string): boolean {
  if (!pattern.includes('{')) return pattern === path
  const groups = toRegExp(pattern).exec(path)?.groups
  return groups !== undefined && decodeParams(groups) !== undefined
}

/**
 * `{model+}` stands for one or two segments, `{path*}` for one or more, `{file~}` for an id that the
 * gateway made, `{version:v1|v1beta}` for one of the words.
 */
function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? toGroup(part.slice(1, -1)) : escape(part)))
    .join('')
  return new RegExp(`^${source}$`)
}

function toGroup(parameter: string): string {
  const [name = '', words] = parameter.split(':')
  if (words) return `(?<${name}>${words.split('|').map(escape).join('|')})`
  if (name.endsWith('+')) return `(?<${name.slice(0, -1)}>[^/]+(?:/[^/]+)?)`
  if (name.endsWith('*')) return `(?<${name.slice(0, -1)}>[^/]+(?:/[^/]+)*)`
  if (name.endsWith('~')) return `(?<${name.slice(0, -1)}>[0-9a-z]{16,})`
  return `(?<${name}>[^/]+)`
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** `undefined` where a percent sign is not followed by an encoding: no such path. */
function decodeParams(groups: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return undefined
  }
}

/** Names what can be had at a path instead: other methods, or other actions. */
export function noSuchEndpoint({ allowed, action }: Mismatch, method = ''): GatewayError {
  if (action) {
    const { name, known } = action
    const others = `${known.length === 1 ? 'there is' : 'there are'} ${known.join(', ')}`
    const message = `There is no action \`${name.slice(0, 200)}\` here; ${others}.`
    return new GatewayError('not_found', message)
  }
  if (allowed.length === 0) return new GatewayError('not_found', 'There is nothing at this path.')
  const message = `This path does not take ${method}: use ${allowed.join(' or ')}.`
  return new GatewayError('method_not_allowed', message, {
    headers: { allow: allowed.join(', ') },
  })
}
