import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { TeamsPage } from './TeamsPage.tsx'

/** What the page shows, in its address. */
interface TeamsSearch {
  /** The team whose limits are shown. */
  readonly team?: string | undefined
  readonly after?: string | undefined
}

export const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams',
  component: TeamsPage,
  validateSearch: ({ team, after }: Record<string, unknown>): TeamsSearch => ({
    ...(typeof team === 'string' && { team }),
    ...(typeof after === 'string' && { after }),
  }),
})
