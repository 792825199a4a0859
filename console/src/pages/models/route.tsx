import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { ModelsPage } from './ModelsPage.tsx'
import { readModelsSearch } from './search.ts'

export const modelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/models',
  component: ModelsPage,
  validateSearch: readModelsSearch,
})
