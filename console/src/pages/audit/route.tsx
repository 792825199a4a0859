import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { AuditPage } from './AuditPage.tsx'
import { readAuditSearch } from './search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  component: AuditPage,
  validateSearch: readAuditSearch,
})
