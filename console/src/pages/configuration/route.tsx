import { createRoute } from '@tanstack/react-router'

import { textsOf } from '../../app/search-texts.ts'
import { shellRoute } from '../../app/shell-route.tsx'
import { ConfigurationPage } from './ConfigurationPage.tsx'

/** What the page shows, in its address. */
interface ConfigurationSearch {
  /** Only settings below this path: `limits`, `accounts[3]`. */
  readonly section?: string | undefined
}

export const configurationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/configuration',
  component: ConfigurationPage,
  validateSearch: (search: Record<string, unknown>): ConfigurationSearch =>
    textsOf(search, ['section']),
})
