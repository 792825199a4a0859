import type { AccountOptions, AccountSetting, Root } from '../contract/account.ts'
import type { ProviderPreset } from '../contract/provider.ts'
import type { Problem } from '../contract/problems.ts'
import { compileForbiddenHosts } from '../lib/forbidden-hosts.ts'

/** What a provider's preset says of one dialect. */
export interface DialectPreset extends ProviderPreset {
  readonly base: 'versioned' | 'bare'
}

/** What the roots of an account depend on. */
interface RootsInput {
  /** The presets of the provider's dialects, by their ids; the first with a base URL has the provider's own. */
  readonly rows: ReadonlyMap<string, DialectPreset>
  /** As the provider's schema returns them. */
  readonly options: AccountOptions
  /** The dialects that the account speaks. */
  readonly speaks: readonly string[]
  /** `Upstream.base` of a dialect. */
  readonly baseOf: (dialect: string) => Root['base']
}

/** The account's own root, and the roots of dialects that have another. */
type CompiledRoots =
  | { readonly root: Root; readonly roots?: Readonly<Record<string, Root>> }
  | { readonly problems: readonly Problem[] }

/**
 * Compiles where an account is asked in each of its dialects. `baseUrl` of the account replaces the base URL of the
 * provider, and moves those of further dialects with it; `baseUrls` go before both.
 */
export function compileRoots(setting: AccountSetting, input: RootsInput): CompiledRoots {
  const { rows, options, speaks, baseOf } = input
  const first = [...rows.values()].find((row) => row.baseUrl !== undefined) ?? [...rows.values()][0]
  const own = parseBaseUrl(setting.baseUrl)
  const urls = urlsOf(first, options, own)
  const url = setting.baseUrl === undefined || own ? urls.first : undefined
  const problems = url
    ? forbiddenHost(setting, url, placeOfAddress(setting))
    : [noBaseUrl(setting, first)]
  const found: Record<string, Root> = {}
  for (const id of speaks) {
    const given = setting.baseUrls?.[id]
    const row = rows.get(id)
    if (given !== undefined) {
      const other = parseBaseUrl(given)
      if (other) found[id] = rootAt(other, baseOf(id))
      problems.push(
        ...(other
          ? forbiddenHost(setting, other, `.baseUrls.${id}`)
          : [invalidUrl(`.baseUrls.${id}`)]),
      )
    } else if (row && url) found[id] = rootAt(urls.of(row) ?? url, row.base)
  }
  for (const id of Object.keys(setting.baseUrls ?? {}))
    if (!speaks.includes(id)) problems.push(unspoken(id, speaks))
  if (!url || problems.length > 0) return { problems }
  const root = rootAt(url, first?.base ?? 'bare')
  const others = Object.entries(found).filter(([, one]) => !isSame(one, root))
  return { root, ...(others.length > 0 && { roots: Object.fromEntries(others) }) }
}

/** The URLs of a provider's dialects, moved to the account's own base URL if it has one. */
function urlsOf(
  first: DialectPreset | undefined,
  options: AccountOptions,
  own: URL | undefined,
): { first: URL | undefined; of: (row: DialectPreset) => URL | undefined } {
  const usual = urlOf(first, options, own)
  const keepsPath = first?.keepsPath === true
  const isFit = !keepsPath || (own && usual?.pathname.startsWith(own.pathname.replace(/\/+$/, '')))
  const before = prefixOf(own?.pathname ?? '', usual?.pathname ?? '')
  const move = (url: URL | undefined) =>
    url && own ? (URL.parse((keepsPath ? '' : before) + url.pathname, own) ?? undefined) : url
  return {
    first: own && !keepsPath ? own : isFit || !own ? move(usual) : undefined,
    of: (row) => (row === first ? undefined : move(urlOf(row, options, own))),
  }
}

/** What stands before the provider's own path in the path of an account. */
function prefixOf(path: string, usual: string): string {
  const [own, known] = [path.replace(/\/+$/, ''), usual.replace(/\/+$/, '')]
  return own.endsWith(known) ? own.slice(0, own.length - known.length) : ''
}

/** The URL of a preset. One that is a path alone stands at the account's own host. */
function urlOf(
  { baseUrl }: Partial<DialectPreset> = {},
  options: AccountOptions,
  own: URL | undefined,
): URL | undefined {
  try {
    const text = typeof baseUrl === 'function' ? baseUrl(options) : baseUrl
    if (text === undefined) return undefined
    return text.startsWith('/') ? (own && URL.parse(text, own)) || undefined : parseBaseUrl(text)
  } catch {
    return undefined
  }
}

function parseBaseUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.username || url.password || url.search || url.hash ? undefined : url
}

function rootAt({ origin, pathname }: URL, base: Root['base']): Root {
  return { origin, basePath: pathname.replace(/\/+$/, ''), base }
}

function isSame(one: Root, other: Root): boolean {
  return one.origin === other.origin && one.basePath === other.basePath && one.base === other.base
}

function noBaseUrl(
  { baseUrl, provider }: AccountSetting,
  first: DialectPreset | undefined,
): Problem {
  if (baseUrl === undefined) {
    const message = `provider "${provider}" has no default base URL`
    return { ...invalidUrl('.baseUrl'), message }
  }
  if (!first?.keepsPath || !parseBaseUrl(baseUrl)) return invalidUrl('.baseUrl')
  return {
    path: '.baseUrl',
    message: `has a path, and the paths of provider "${provider}" are its own`,
    fix: 'write scheme, host and port alone',
  }
}

function invalidUrl(path: string): Problem {
  return {
    path,
    message: 'is not a valid base URL',
    fix: 'set an http(s) URL without credentials, query or fragment',
  }
}

function unspoken(id: string, speaks: readonly string[]): Problem {
  return {
    path: `.baseUrls.${id}`,
    message: `the account does not speak "${id}"`,
    fix: `use one of ${speaks.join(', ')}, or name the dialect in speaks`,
  }
}

/** The setting that decides the address of an account. */
function placeOfAddress({ baseUrl, options }: AccountSetting): string {
  return baseUrl === undefined && options !== undefined ? '.options' : '.baseUrl'
}

/** The problem of an account of the store that leads to a host which such accounts may not reach. */
function forbiddenHost(
  { forbidden = [] }: AccountSetting,
  { hostname }: URL,
  path: string,
): Problem[] {
  if (!compileForbiddenHosts(forbidden).has(hostname)) return []
  return [
    {
      path,
      message: 'names a host that admin.accounts.forbid of the configuration forbids',
      fix: 'use another address, or name the account in the file',
    },
  ]
}
