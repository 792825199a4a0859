import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { OverviewPage } from './OverviewPage.tsx'

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/overview',
  component: OverviewPage,
})
