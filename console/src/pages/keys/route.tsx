import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { KeysPage } from './KeysPage.tsx'

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: KeysPage,
})
