/** Where a Redis is, read from a store URL. */
export type RedisPlace =
  | { readonly kind: 'single'; readonly url: string; readonly prefix: string }
  | {
      readonly kind: 'sentinel'
      readonly name: string
      readonly nodes: readonly Node[]
      readonly access: Access
      readonly prefix: string
    }
  | {
      readonly kind: 'cluster'
      readonly nodes: readonly Node[]
      readonly access: Access
      readonly prefix: string
    }

export interface Node {
  readonly host: string
  readonly port: number
}

export interface Access {
  readonly username?: string
  readonly password?: string
  readonly tls: boolean
}

const form =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?#]+)(\/[^?#]*)?(?:\?(.*))?$/

/**
 * Reads `redis://host:6379/0`, `rediss://...`, `redis+sentinel://host:26379,host:26379/name` and
 * `redis+cluster://host:6379,host:6379`, each with `?prefix=`. `undefined` for anything else, and
 * where a user name or password has a percent sign that encodes nothing.
 */
export function parseRedisUrl(url: string): RedisPlace | undefined {
  const [, scheme, kind, login = '', hosts = '', path = '', query = ''] = form.exec(url) ?? []
  if (scheme === undefined || !isEncoded(login)) return undefined
  const prefix = new URLSearchParams(query).get('prefix') ?? 'dragoman:'
  if (!kind) return singlePlace(url, prefix)
  const nodes = parseNodes(hosts, kind === 'sentinel' ? 26_379 : 6_379)
  const access = { ...parseLogin(login), tls: scheme === 'rediss' }
  if (!nodes) return undefined
  if (kind === 'cluster') return path.length > 1 ? undefined : { kind, nodes, access, prefix }
  const name = path.slice(1)
  return name ? { kind: 'sentinel', name, nodes, access, prefix } : undefined
}

function singlePlace(url: string, prefix: string): RedisPlace | undefined {
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

function parseNodes(hosts: string, usualPort: number): Node[] | undefined {
  const nodes = hosts.split(',').map((text) => {
    const parsed = URL.parse(`redis://${text}`)
    const port = parsed?.port ? Number(parsed.port) : usualPort
    return parsed?.hostname
      ? { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port }
      : undefined
  })
  return nodes.includes(undefined) ? undefined : (nodes as Node[])
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
