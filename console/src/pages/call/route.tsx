import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { CallPage } from './CallPage.tsx'

export const callRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls/$id',
  component: CallPage,
})
