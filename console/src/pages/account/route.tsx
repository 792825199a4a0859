import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { AccountPage } from './AccountPage.tsx'

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$id',
  component: AccountPage,
})
