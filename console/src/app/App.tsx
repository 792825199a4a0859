import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'

import { answers } from '../api/query.ts'
import { loadSession, useSession } from '../api/session.ts'
import { Away } from './Away.tsx'
import { SignIn } from './SignIn.tsx'
import { router } from './router.tsx'

/** Shows the pages to those who are signed in. */
export function App() {
  const session = useSession()
  const isIn = session.state === 'in'
  useEffect(() => void loadSession(), [])
  // What the session has shown goes with it; the address stays.
  useEffect(() => () => answers.clear(), [isIn])
  if (session.state === 'unknown') return null
  if (session.state === 'away') return <Away message={session.message} />
  if (session.state === 'out') return <SignIn oidc={session.oidc} />
  if (session.state === 'locked') return <SignIn oidc={session.oidc} lockedAs={session.viewer.id} />
  return (
    // The policy of the page permits no styles of scripts.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={answers}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  )
}
