import { createRoute } from '@tanstack/react-router'

import { shellRoute } from '../../app/shell-route.tsx'
import { PlaygroundPage } from './PlaygroundPage.tsx'

/** What the page shows, in its address. */
interface PlaygroundSearch {
  readonly dialect?: string | undefined
}

export const playgroundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playground',
  component: PlaygroundPage,
  validateSearch: ({ dialect }: Record<string, unknown>): PlaygroundSearch => ({
    ...(typeof dialect === 'string' && { dialect }),
  }),
})
