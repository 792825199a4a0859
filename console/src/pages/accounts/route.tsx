import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { AccountsPage } from './AccountsPage.tsx'
import { readAccountsSearch } from './search.ts'

export const accountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts',
  component: AccountsPage,
  validateSearch: readAccountsSearch,
})
