import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { ExplainPage } from './ExplainPage.tsx'

export const explainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explain',
  component: ExplainPage,
})
