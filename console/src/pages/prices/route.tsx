import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { PricesPage } from './PricesPage.tsx'

/** What the page shows, in its address. */
interface PricesSearch {
  readonly show?: 'priced' | 'unpriced' | undefined
  readonly after?: string | undefined
}

export const pricesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/prices',
  component: PricesPage,
  validateSearch: ({ show, after }: Record<string, unknown>): PricesSearch => ({
    ...((show === 'priced' || show === 'unpriced') && { show }),
    ...(typeof after === 'string' && { after }),
  }),
})
