import { createRoute } from '@tanstack/react-router'

import { textsOf } from '../../app/search-texts.ts'
import { shellRoute } from '../../app/shell-route.tsx'
import { AccessPage } from './AccessPage.tsx'

/** What the page shows, in its address: the cursors of its lists. */
interface AccessSearch {
  readonly tokens?: string | undefined
  readonly sessions?: string | undefined
}

export const accessRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/access',
  component: AccessPage,
  validateSearch: (search: Record<string, unknown>): AccessSearch =>
    textsOf(search, ['tokens', 'sessions']),
})
