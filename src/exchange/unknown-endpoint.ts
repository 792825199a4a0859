import type { Dialect } from '../contract/dialect.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { Route, Router } from './routes.ts'

/** The length of a path in a message, in characters. */
const longestPath = 200

/** Versions before another version, as in `/v1/v1/models` or `/v1/v1beta/models`. */
const extraVersions = /^(?:\/v1(?:alpha|beta1?)?)+(?=\/v1(?:alpha|beta1?)?\/)/

/** An endpoint that the client probably means. */
interface MeantEndpoint {
  readonly path: string
  readonly route: Route
}

/**
 * Finds the endpoint whose path differs from the request's by a doubled or missing `/v1`: the usual
 * mistake in an SDK's base URL.
 */
export function findMeantEndpoint(
  router: Router,
  { method, path }: Pick<ClientRequest, 'method' | 'path'>,
): MeantEndpoint | undefined {
  const meant = extraVersions.test(path) ? path.replace(extraVersions, '') : `/v1${path}`
  const match = router.match(method, meant)
  if ('allowed' in match || match.route.operation.hidden) return undefined
  return { path: meant, route: match.route }
}

/**
 * Finds the dialect below whose operations an unknown path lies: of the patterns that share the most first
 * segments with it, all are of this dialect.
 */
export function findPathOwner({ routes }: Router, path: string): Dialect | undefined {
  const segments = path.split('/').slice(1)
  const shown = routes.filter(({ operation }) => !operation.hidden)
  const shared = shown.map(({ pattern }) => sharedSegments(pattern, segments))
  const most = Math.max(0, ...shared)
  if (most === 0) return undefined
  const [owner, ...others] = new Set(
    shown.filter((_, index) => shared[index] === most).map(({ dialect }) => dialect),
  )
  return others.length === 0 ? owner : undefined
}

/** The number of first segments of a pattern, before one with a parameter, that a path has too. */
function sharedSegments(pattern: string, segments: readonly string[]): number {
  const literal = pattern.split('/').slice(1)
  const end = literal.findIndex((word, at) => word.includes('{') || word !== segments[at])
  return end < 0 ? literal.length : end
}

/** The prefixes of ids that endpoints take in place of the id of a path, whose other segments are theirs. */
export function findIdBeginnings(
  { routes }: Router,
  { method, path }: Pick<ClientRequest, 'method' | 'path'>,
): readonly string[] {
  const segments = path.split('/')
  const beginnings = routes.flatMap(({ method: own, pattern, operation }) => {
    const words = pattern.split('/')
    if (own !== method || operation.hidden || words.length !== segments.length) return []
    const [other, ...others] = words.filter((word, at) => word !== segments[at])
    const [beginning = ''] = other?.split('{') ?? []
    return others.length === 0 && other !== beginning && beginning !== '' ? [beginning] : []
  })
  return [...new Set(beginnings)]
}

/** The error for a request that matches no endpoint. `meant` is the path that the client probably means. */
export function unknownEndpoint(
  { method, path }: Pick<ClientRequest, 'method' | 'path'>,
  options: {
    readonly meant: string | undefined
    readonly beginnings?: readonly string[]
    readonly isDescribed: boolean
  },
): GatewayError {
  const { meant, beginnings = [], isDescribed } = options
  const ids = beginnings.map((beginning) => `\`${beginning}\``).join(' or ')
  const suggestion =
    meant !== undefined && meant.length <= longestPath ? ` Did you mean ${printable(meant)}?` : ''
  const ofId = ids && ` An id at this place begins with ${ids}.`
  const hint = suggestion || ofId || (isDescribed ? ' See /openapi.json.' : '')
  return new GatewayError('not_found', `Unknown endpoint ${method} ${printable(path)}.${hint}`)
}

/** Shortens a path, and percent-encodes bytes that Node accepts in a path although no URL allows them. */
function printable(path: string): string {
  const short = path.length > longestPath ? `${path.slice(0, longestPath)}...` : path
  return short.replaceAll(
    /[^\x21-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}
