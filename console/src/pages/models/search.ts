import { textsOf } from '../../app/search-texts.ts'

/** What the page Models shows, in its address. */
export interface ModelsSearch {
  readonly show?: 'unavailable' | undefined
  /** What the names begin with. */
  readonly search?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
  /** The model whose accounts are shown. */
  readonly open?: string | undefined
}

const names = ['search', 'after', 'open'] as const

/** Reads the search parameters of the page. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  return {
    ...(search['show'] === 'unavailable' && { show: 'unavailable' }),
    ...textsOf(search, names),
  }
}
