import { createRootRoute } from '@tanstack/react-router'

import { NotFound } from './NotFound.tsx'
import { PageFailed } from './PageFailed.tsx'
import { Shell } from './Shell.tsx'

/** The parent of every page: the sidebar, and the parts that all pages share. */
export const shellRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageFailed,
})
