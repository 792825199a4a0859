import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { KeysPage } from './KeysPage.tsx'
import { readKeysSearch } from './search.ts'

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: KeysPage,
  validateSearch: readKeysSearch,
})
