import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { PricesPage } from './PricesPage.tsx'

/** What the page shows, in its address. */
interface PricesSearch {
  readonly show?: 'priced' | 'unpriced' | undefined
  readonly after?: string | undefined
  /** The price that is open. */
  readonly open?: string | undefined
}

export const pricesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/prices',
  component: PricesPage,
  validateSearch: (search: Record<string, unknown>): PricesSearch => {
    const { show, after, open } = search
    return {
      ...((show === 'priced' || show === 'unpriced') && { show }),
      // The id of a price may end with a space.
      ...(typeof after === 'string' && { after }),
      ...(typeof open === 'string' && { open }),
    }
  },
})
