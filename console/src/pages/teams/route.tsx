import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { TeamsPage } from './TeamsPage.tsx'

export const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams',
  component: TeamsPage,
})
