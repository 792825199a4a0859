import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { CallsPage } from './CallsPage.tsx'

export const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  component: CallsPage,
})
