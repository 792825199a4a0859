import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { PlaygroundPage } from './PlaygroundPage.tsx'

export const playgroundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playground',
  component: PlaygroundPage,
})
