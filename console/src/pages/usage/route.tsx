import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { UsagePage } from './UsagePage.tsx'
import { readUsageSearch } from './search.ts'

export const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  component: UsagePage,
  validateSearch: readUsageSearch,
})
