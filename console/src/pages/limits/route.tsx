import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { LimitsPage } from './LimitsPage.tsx'

export const limitsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/limits',
  component: LimitsPage,
})
