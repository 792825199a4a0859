import { createRoute } from '@tanstack/react-router'

import { textsOf } from '../../app/search-texts.ts'
import { shellRoute } from '../../app/shell-route.tsx'
import { KeyPage } from './KeyPage.tsx'

/** What the page shows, in its address: the limit that is open. */
interface KeySearch {
  readonly limit?: string | undefined
}

export const keyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$id',
  component: KeyPage,
  validateSearch: (search: Record<string, unknown>): KeySearch => textsOf(search, ['limit']),
})
