import type { Dialect } from '../contract/dialect.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { decodingsOf } from '../lib/decodings.ts'

/** A method and a path pattern of an operation. */
export interface Route {
  readonly method: string
  readonly pattern: string
  readonly dialect: Dialect
  readonly operation: Operation
}

/** The route of a request. */
interface Match {
  readonly route: Route
  /** Routes of other dialects with the same method and path, whose clients their headers tell. Absent: none. */
  readonly rivals?: readonly Route[]
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Why no operation matches a request. */
interface Mismatch {
  /** The methods that the path allows; empty if the path is unknown. */
  readonly allowed: readonly string[]
  /** The first route of the path, whose dialect formats the error. */
  readonly at?: Route
  /** The unknown action after the path's last colon, and the actions that exist there. */
  readonly action?: { readonly name: string; readonly known: readonly string[] }
}

/** Finds operations by method and path. */
export interface Router {
  readonly routes: readonly Route[]
  /** Returns the operation of a request, or why no operation matches. */
  match(method: string, path: string): Match | Mismatch
}

const nowhere: Mismatch = { allowed: [] }

/** Compiles the operations of all dialects. The first operation that matches a request wins. */
export function createRouter(dialects: readonly Dialect[]): Router {
  const routes = dialects.flatMap((dialect) =>
    dialect.operations.flatMap((operation) =>
      operation.paths.map((pattern) => ({ method: operation.method, pattern, dialect, operation })),
    ),
  )
  const fixed = new Map<string, Match>()
  const variable: { route: Route; regExp: RegExp }[] = []
  const owners = routes.filter(({ operation }) => !operation.yields)
  const yielding = routes.filter(({ operation }) => operation.yields)
  for (const route of owners) {
    const name = `${route.method} ${route.pattern}`
    if (route.pattern.includes('{')) variable.push({ route, regExp: toRegExp(route.pattern) })
    else fixed.set(name, withRoute(fixed.get(name), route))
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

  const shown = owners.filter(({ operation }) => !operation.hidden)

  /** Operations that yield have no path that another one has, in any spelling and version. */
  function matchYielding(method: string, path: string): Match | Mismatch {
    const there = yielding.filter(({ pattern }) => isAt(pattern, path))
    if (there.length === 0) return nowhere
    const plain = plainSpelling(path)
    const isOfOwner = (pattern: string) =>
      toRegExp(pattern).test(plain) || toRegExp(withoutVersion(pattern)).test(withoutVersion(plain))
    if (owners.some(({ pattern }) => isOfOwner(withAnyId(pattern.toLowerCase())))) return nowhere
    const route = there.find((one) => one.method === method)
    if (route) return { route, params: {} }
    return { allowed: [...new Set(there.map((one) => one.method))], at: there[0]! }
  }

  /**
   * Detects a match whose last parameter includes an action that the path has with other methods only:
   * `GET .../models/m:generateContent` asks for no model.
   */
  function actionOfOthers({ route: { pattern } }: Match, path: string): Mismatch | undefined {
    const plain = path.replace(/%3a/gi, ':')
    const colon = plain.lastIndexOf(':')
    if (colon <= plain.lastIndexOf('/') || !pattern.endsWith('}')) return undefined
    const action = plain.slice(colon)
    const others = shown.filter((one) => one.pattern.endsWith(action) && isAt(one.pattern, plain))
    const allowed = [...new Set(others.map((one) => one.method))]
    return others[0] && { allowed, at: others[0] }
  }

  return {
    routes,
    match(method, path) {
      const exact = fixed.get(`${method} ${path}`)
      if (exact) return exact
      const match = matchVariable(method, path)
      if (match) return actionOfOthers(match, path) ?? match
      const there = shown.filter((route) => isAt(route.pattern, path))
      const unknown = unknownAction(shown, method, path, there[0])
      if (unknown) return unknown
      // A handshake is no request that one of another method could be.
      const plain = there.filter(({ operation }) => !operation.upgrades)
      const allowed = [...new Set((plain[0] ? plain : there).map((route) => route.method))]
      return there[0] ? { allowed, at: there[0] } : matchYielding(method, path)
    },
  }
}

/** A match of a path without parameters with one more route: the first one wins, unless a client is another dialect's. */
function withRoute(known: Match | undefined, route: Route): Match {
  if (!known) return { route, params: {} }
  if (!route.dialect.claims || route.dialect === known.route.dialect) return known
  return { ...known, rivals: [...(known.rivals ?? []), route] }
}

/**
 * Detects a path that ends in a colon and an unknown action where other operations have actions. The
 * owner, an operation whose pattern matches the whole path, takes precedence if its pattern has more
 * literal segments.
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

/** The number of segments of a pattern that are literal, or a choice of literals. */
function wordsIn(pattern: string): number {
  return pattern.split('/').filter((segment) => /^(?:[^{]+|\{\w+:.+\})$/.test(segment)).length
}

/** A path as the most lenient server understands it, which ignores case and ends of names: `/v1/Fil%65s.` is `/v1/files`. */
function plainSpelling(path: string): string {
  const decoded = decodingsOf(path).at(-1)!.normalize('NFKC').toLowerCase()
  return decoded.split('/').map(withoutEnd).join('/')
}

/** A name without the dots and spaces at its end. */
function withoutEnd(name: string): string {
  let { length } = name
  while (length > 0 && '. '.includes(name[length - 1]!)) length--
  return name.slice(0, length)
}

/** An account's own ids have another form than the gateway's: `/v1/files/file-{id}` has all of `/v1/files/{id}`. */
function withAnyId(pattern: string): string {
  const segments = pattern.split('/')
  return segments.map((one) => one.replace(/^[^{]*\{(\w+)~?\}/, '{$1}')).join('/')
}

/** An account has the version of its base URL in place of the one that a client names. */
function withoutVersion(path: string): string {
  return path.replace(/^\/v\d+[a-z0-9]*(?=\/)/, '')
}

function isAt(pattern: string, path: string): boolean {
  if (!pattern.includes('{')) return pattern === path
  const groups = toRegExp(pattern).exec(path)?.groups
  return groups !== undefined && decodeParams(groups) !== undefined
}

/** The compiled patterns of all operations. */
const compiled = new Map<string, RegExp>()

/** See `OperationShape.paths`. */
function toRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known) return known
  const source = pattern
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? toGroup(part.slice(1, -1)) : escape(part)))
    .join('')
  const regExp = new RegExp(`^${source}$`)
  compiled.set(pattern, regExp)
  return regExp
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

/** Decodes path parameters; `undefined` if one has an invalid percent-encoding. */
function decodeParams(groups: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return undefined
  }
}

const orFormat = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** The error for a known path: an unknown action, or a method that the path does not allow. */
export function mismatchError({ allowed, action }: Mismatch, method: string): GatewayError {
  if (action) {
    const { name, known } = action
    const message = `Unknown action \`${name.slice(0, 200)}\`. Actions of this path: ${known.join(', ')}.`
    return new GatewayError('not_found', message)
  }
  const message = `This path does not allow ${method}: use ${orFormat.format(allowed)}.`
  return new GatewayError('method_not_allowed', message, {
    headers: { allow: allowed.join(', ') },
  })
}
