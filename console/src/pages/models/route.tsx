import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { ModelsPage } from './ModelsPage.tsx'

export const modelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/models',
  component: ModelsPage,
})
