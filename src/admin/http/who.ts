import type { IncomingMessage } from 'node:http'

import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import type { Principal } from '../principal.ts'
import type { Sessions } from '../sessions.ts'
import type { ClientOf } from './client.ts'
import { readCookie, sessionCookie } from './cookies.ts'
import { type Refusal, storeAway, unauthenticated } from './refusal.ts'
import { faultOfCookieRequest, isOwnSite } from './site.ts'

/** The principal of a request, or why there is none. */
export type Who = { readonly principal: Principal } | { readonly refusal: Refusal }

/**
 * Finds who asks: by `authorization` if the request has this header, otherwise by the cookie of a session.
 * A cookie counts only for requests that the own pages send (`call`), or for those that read (`page`).
 * `watch` is a call that goes on: it does not prolong its session.
 */
export type FindWho = (request: IncomingMessage, as: 'call' | 'page' | 'watch') => Promise<Who>

/** Creates `FindWho`. `clientOf`: the reader of clients, as the configuration of now says. */
export function createFindWho(
  authenticate: Authenticate,
  sessions: Sessions,
  clientOf: () => ClientOf,
): FindWho {
  return async (request, as) => {
    const { authorization } = request.headers
    const cookie = readCookie(request, sessionCookie, clientOf()(request))
    if (authorization === undefined && cookie === undefined) return { refusal: unauthenticated }
    if (authorization === undefined) {
      const isForeign = !isOwnSite(request.headers['sec-fetch-site'])
      const refusal = as !== 'page' || isForeign ? faultOfCookieRequest(request) : undefined
      if (refusal) return { refusal }
    }
    try {
      const principal =
        authorization === undefined
          ? await sessions.find(cookie!, as === 'watch' ? 'watched' : 'used')
          : await authenticate(request)
      return principal ? { principal } : { refusal: unauthenticated }
    } catch (error) {
      if (error instanceof StoreUnavailable) return { refusal: storeAway }
      throw error
    }
  }
}
