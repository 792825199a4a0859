import { createRoute } from '@tanstack/react-router'

import { textsOf } from '../../app/search-texts.ts'
import { shellRoute } from '../../app/shell-route.tsx'
import { TeamsPage } from './TeamsPage.tsx'

/** What the page shows, in its address. */
interface TeamsSearch {
  /** The team whose limits are shown. */
  readonly team?: string | undefined
  readonly after?: string | undefined
  /** The limit of the team that is open. */
  readonly limit?: string | undefined
}

export const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams',
  component: TeamsPage,
  validateSearch: (search: Record<string, unknown>): TeamsSearch =>
    textsOf(search, ['team', 'after', 'limit']),
})
