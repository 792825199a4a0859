import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { JobsPage } from './JobsPage.tsx'
import { readJobsSearch } from './search.ts'

export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  component: JobsPage,
  validateSearch: readJobsSearch,
})
