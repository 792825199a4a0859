import { createRoute, createRouter, redirect } from '@tanstack/react-router'

import { consoleUrl } from '../api/base.ts'
import { accessRoute } from '../pages/access/route.tsx'
import { accountRoute } from '../pages/account/route.tsx'
import { accountsRoute } from '../pages/accounts/route.tsx'
import { auditRoute } from '../pages/audit/route.tsx'
import { bindingsRoute } from '../pages/bindings/route.tsx'
import { callRoute } from '../pages/call/route.tsx'
import { callsRoute } from '../pages/calls/route.tsx'
import { configurationRoute } from '../pages/configuration/route.tsx'
import { explainRoute } from '../pages/explain/route.tsx'
import { jobsRoute } from '../pages/jobs/route.tsx'
import { keyRoute } from '../pages/key/route.tsx'
import { keysRoute } from '../pages/keys/route.tsx'
import { limitsRoute } from '../pages/limits/route.tsx'
import { modelsRoute } from '../pages/models/route.tsx'
import { overviewRoute } from '../pages/overview/route.tsx'
import { playgroundRoute } from '../pages/playground/route.tsx'
import { pricesRoute } from '../pages/prices/route.tsx'
import { teamsRoute } from '../pages/teams/route.tsx'
import { usageRoute } from '../pages/usage/route.tsx'
import { shellRoute } from './shell-route.tsx'

const firstRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- The router takes it for an address, not for an error.
    throw redirect({ to: '/overview', replace: true })
  },
})

const routeTree = shellRoute.addChildren([
  firstRoute,
  overviewRoute,
  callsRoute,
  accountsRoute,
  modelsRoute,
  explainRoute,
  bindingsRoute,
  jobsRoute,
  keysRoute,
  teamsRoute,
  limitsRoute,
  usageRoute,
  pricesRoute,
  playgroundRoute,
  auditRoute,
  configurationRoute,
  accessRoute,
  accountRoute,
  callRoute,
  keyRoute,
])

/** The pages by their paths below `/console/`. */
export const router = createRouter({
  routeTree,
  basepath: consoleUrl.pathname,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
