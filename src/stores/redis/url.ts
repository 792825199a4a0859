/** The address of a Redis, from a store URL. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string; readonly prefix: string }
  | {
      readonly kind: 'sentinel'
      readonly name: string
      readonly nodes: readonly RedisNode[]
      readonly access: RedisAccess
      readonly prefix: string
    }
  | {
      readonly kind: 'cluster'
      readonly nodes: readonly RedisNode[]
      readonly access: RedisAccess
      readonly prefix: string
    }

/** A server of a cluster, or a sentinel. */
interface RedisNode {
  readonly host: string
  readonly port: number
}

/** The credentials for all nodes, and whether connections are encrypted. */
interface RedisAccess {
  readonly username?: string
  readonly password?: string
  readonly tls: boolean
}

const pattern =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?#]+)(\/[^?#]*)?(?:\?(.*))?$/

/**
 * Parses `redis://host:6379/0`, `rediss://...`, `redis+sentinel://host:26379,host:26379/name` and
 * `redis+cluster://host:6379,host:6379`, each with `?prefix=`. `undefined` for other URLs, and for
 * a user name or password with a malformed percent encoding.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const [, scheme, kind, login = '', hosts = '', path = '', query = ''] = pattern.exec(url) ?? []
  if (scheme === undefined || !isEncoded(login)) return undefined
  const prefix = new URLSearchParams(query).get('prefix') ?? 'dragoman:'
  if (!kind) return singleAddress(url, prefix)
  const nodes = parseNodes(hosts, kind === 'sentinel' ? 26_379 : 6_379)
  const access = { ...parseLogin(login), tls: scheme === 'rediss' }
  if (!nodes) return undefined
  if (kind === 'cluster') return path.length > 1 ? undefined : { kind, nodes, access, prefix }
  const name = path.slice(1)
  return name ? { kind: 'sentinel', name, nodes, access, prefix } : undefined
}

function singleAddress(url: string, prefix: string): RedisAddress | undefined {
  const parsed = URL.parse(url)
  if (!parsed?.hostname || !isEncoded(parsed.username + parsed.password)) return undefined
  parsed.search = ''
  return { kind: 'single', url: parsed.href, prefix }
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

function parseNodes(hosts: string, defaultPort: number): RedisNode[] | undefined {
  const nodes = hosts.split(',').map((text) => {
    const parsed = URL.parse(`redis://${text}`)
    const port = parsed?.port ? Number(parsed.port) : defaultPort
    return parsed?.hostname
      ? { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port }
      : undefined
  })
  return nodes.includes(undefined) ? undefined : (nodes as RedisNode[])
}

function parseLogin(login: string): { username?: string; password?: string } {
  const colon = login.indexOf(':')
  const decoded = (text: string) => decodeURIComponent(text)
  if (login === '') return {}
  if (colon < 0) return { username: decoded(login) }
  const username = login.slice(0, colon)
  return {
    ...(username !== '' && { username: decoded(username) }),
    password: decoded(login.slice(colon + 1)),
  }
}
