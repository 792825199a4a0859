import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { PricesPage } from './PricesPage.tsx'

export const pricesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/prices',
  component: PricesPage,
})
