import { textsOf } from '../../app/search-texts.ts'

/** What the page asks, in its address. */
export interface ExplainSearch {
  readonly keyId?: string | undefined
  readonly dialect?: string | undefined
  readonly model?: string | undefined
  /** A response that the request continues. */
  readonly previous?: string | undefined
  /** The operation; absent: what creates. */
  readonly operation?: string | undefined
  /** The id in the path of the operation. */
  readonly id?: string | undefined
  /** The id of a call whose key, dialect and model are taken. */
  readonly call?: string | undefined
}

const names = ['keyId', 'dialect', 'model', 'previous', 'operation', 'id', 'call'] as const

/** Reads the search parameters of the page. */
export function readExplainSearch(search: Record<string, unknown>): ExplainSearch {
  return textsOf(search, names)
}
