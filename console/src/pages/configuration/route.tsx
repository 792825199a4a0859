import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { ConfigurationPage } from './ConfigurationPage.tsx'

export const configurationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/configuration',
  component: ConfigurationPage,
})
