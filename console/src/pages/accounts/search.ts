import { textsOf } from '../../app/search-texts.ts'

/** What the page Accounts shows, in its address. */
export interface AccountsSearch {
  readonly show?: 'trouble' | undefined
  readonly search?: string | undefined
}

/** Reads the search parameters of the page. */
export function readAccountsSearch(search: Record<string, unknown>): AccountsSearch {
  return {
    ...(search['show'] === 'trouble' && { show: 'trouble' }),
    ...textsOf(search, ['search']),
  }
}
