import { createRoute } from '@tanstack/react-router'

import { textsOf } from '../../app/search-texts.ts'
import { shellRoute } from '../../app/shell-route.tsx'
import type { SubjectType } from '../../limits/words.ts'
import { LimitsPage } from './LimitsPage.tsx'

/** What the page shows, in its address. */
interface LimitsSearch {
  readonly of?: SubjectType | undefined
  /** The id of the last limit of the page before. */
  readonly after?: string | undefined
  /** The limit that is open. */
  readonly limit?: string | undefined
}

const types: readonly unknown[] = ['KEY', 'TEAM', 'ACCOUNT', 'GATEWAY']

export const limitsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/limits',
  component: LimitsPage,
  validateSearch: (search: Record<string, unknown>): LimitsSearch => ({
    ...(types.includes(search['of']) && { of: search['of'] as SubjectType }),
    ...textsOf(search, ['after', 'limit']),
  }),
})
