import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { BindingsPage } from './BindingsPage.tsx'
import { readBindingsSearch } from './search.ts'

export const bindingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bindings',
  component: BindingsPage,
  validateSearch: readBindingsSearch,
})
