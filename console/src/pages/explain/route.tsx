import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { ExplainPage } from './ExplainPage.tsx'
import { readExplainSearch } from './search.ts'

export const explainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explain',
  component: ExplainPage,
  validateSearch: readExplainSearch,
})
