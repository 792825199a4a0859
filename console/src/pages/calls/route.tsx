import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { CallsPage } from './CallsPage.tsx'
import { readCallsSearch } from './search.ts'

export const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  component: CallsPage,
  validateSearch: readCallsSearch,
})
