import { textsOf } from '../../app/search-texts.ts'

/** What the page Bindings shows, in its address. */
export interface BindingsSearch {
  /** The id that is looked up, as a client knows it. */
  readonly id?: string | undefined
  /** The key of the look-up, and of the list. */
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
}

const names = ['id', 'keyId', 'accountId', 'kind', 'after'] as const

/** Reads the search parameters of the page. */
export function readBindingsSearch(search: Record<string, unknown>): BindingsSearch {
  return textsOf(search, names)
}
