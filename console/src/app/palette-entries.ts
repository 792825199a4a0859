import type { PaletteQuery } from './operations.generated.ts'
import { navigation } from './navigation.ts'

/** Where the palette can go. */
export interface Entry {
  readonly name: string
  readonly kind: string
  readonly link: {
    readonly to: string
    readonly params?: Readonly<Record<string, string>>
    readonly search?: Readonly<Record<string, string>>
  }
}

/** So many are shown. */
const most = 40

/** All that the palette knows by name. */
export function entriesOf(data: PaletteQuery | undefined): readonly Entry[] {
  const pages = navigation.flatMap(({ pages }) => pages)
  const namesOf = (edges: readonly { readonly node: { readonly id: string } }[] | undefined) =>
    edges?.map(({ node }) => node.id) ?? []
  return [
    ...pages.map(({ name, to }) => ({ name, kind: 'Page', link: { to } })),
    ...namesOf(data?.accounts.edges).map((id) => ({
      name: id,
      kind: 'Account',
      link: { to: '/accounts/$id', params: { id } },
    })),
    ...namesOf(data?.keys?.edges).map((id) => ({
      name: id,
      kind: 'Key',
      link: { to: '/keys/$id', params: { id } },
    })),
    ...(data?.models.edges.map(({ node: { name } }) => ({
      name,
      kind: 'Model',
      link: { to: '/models', search: { search: name } },
    })) ?? []),
  ]
}

/** Whether the palette knows all names of accounts, keys and models. */
export function isWhole(data: PaletteQuery): boolean {
  return [data.accounts, data.keys, data.models].every((list) => list && !list.pageInfo.hasNextPage)
}

/**
 * The entries of a text: of its beginning first, then of any part; and the page of an id. `isAll`: whether they are all
 * that there is; otherwise the text may be the name of another.
 */
export function matching(
  entries: readonly Entry[],
  text: string,
  isAll: boolean,
): readonly Entry[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return entries.slice(0, most)
  const byName = entries
    .map((entry) => ({ entry, at: entry.name.toLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .map(({ entry }) => entry)
  const others = isAll || byName.some(({ name }) => name === text.trim()) ? [] : named(text.trim())
  return [...idEntries(text.trim()), ...byName.slice(0, most - others.length), ...others]
}

/** Where a name leads that the palette does not know. */
function named(name: string): readonly Entry[] {
  return [
    { name, kind: 'Account, if there', link: { to: '/accounts/$id', params: { id: name } } },
    { name, kind: 'Key, if there', link: { to: '/keys/$id', params: { id: name } } },
    { name, kind: 'Models like this', link: { to: '/models', search: { search: name } } },
  ]
}

/** Pages of ids by their prefixes. */
function idEntries(id: string): readonly Entry[] {
  if (!/^[\w-]+$/.test(id)) return []
  if (/^req_./.test(id))
    return [{ name: id, kind: 'Call', link: { to: '/calls/$id', params: { id } } }]
  if (/^video_./.test(id)) return [{ name: id, kind: 'Job', link: { to: '/jobs', search: { id } } }]
  if (/^(resp|msg|conv|file|cntr|audio|rs|fc|ws|item)_./.test(id) || /^file-./.test(id))
    return [{ name: id, kind: 'Binding', link: { to: '/bindings', search: { id } } }]
  return []
}
