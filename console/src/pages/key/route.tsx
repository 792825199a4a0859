import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { KeyPage } from './KeyPage.tsx'

export const keyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$id',
  component: KeyPage,
})
