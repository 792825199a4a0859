import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import type { SubjectType } from '../../limits/words.ts'
import { LimitsPage } from './LimitsPage.tsx'

/** What the page shows, in its address. */
interface LimitsSearch {
  readonly of?: SubjectType | undefined
  /** The id of the last limit of the page before. */
  readonly after?: string | undefined
}

const types: readonly unknown[] = ['KEY', 'TEAM', 'ACCOUNT', 'GATEWAY']

export const limitsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/limits',
  component: LimitsPage,
  validateSearch: ({ of, after }: Record<string, unknown>): LimitsSearch => ({
    ...(types.includes(of) && { of: of as SubjectType }),
    ...(typeof after === 'string' && { after }),
  }),
})
