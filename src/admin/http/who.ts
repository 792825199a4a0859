import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import type { Principal } from '../principal.ts'
import type { Rate } from '../rate.ts'
import type { RefusalLog } from '../refusals.ts'
import type { Sessions } from '../sessions.ts'
import { networkOf } from './client.ts'
import { readCookie, sessionCookie } from './cookies.ts'
import { type Refusal, storeAway, tooMany, unauthenticated } from './refusal.ts'
import { noteRefusedEntry } from './refused.ts'
import { faultOfCookieRequest, isOwnSite } from './site.ts'
import type { Visit } from './visit.ts'

/** The principal of a request, or why there is none. */
export type Who = { readonly principal: Principal } | { readonly refusal: Refusal }

/**
 * Finds who asks: by `authorization` if the request has this header, otherwise by the cookie of a session.
 * A cookie counts only for requests that the own pages send (`call`), or for those that read (`page`).
 * `watch` is a call that goes on: it does not prolong its session.
 */
export type FindWho = (visit: Visit, as: 'call' | 'page' | 'watch') => Promise<Who>

/** Parts of `createFindWho`. */
interface FindWhoParts {
  readonly authenticate: Authenticate
  readonly sessions: Pick<Sessions, 'find' | 'knows'>
  /** The wrong credentials that an address may send. A valid one always passes. */
  readonly guesses: Rate
  readonly refusals: RefusalLog
}

/** Creates `FindWho`. A wrong credential is in the audit log before it is refused. */
export function createFindWho({
  authenticate,
  sessions,
  guesses,
  refusals,
}: FindWhoParts): FindWho {
  /** Counts what proves nothing as a guess of the address. */
  async function guessing(
    { client }: Visit,
    prove: () => Promise<Principal | undefined>,
  ): Promise<Who> {
    const network = networkOf(client.address)
    const wait = guesses.take(network)
    if (wait > 0) return { refusal: tooManyGuesses(wait) }
    let isWrong = false
    try {
      const who = whoIs(await prove())
      isWrong = 'refusal' in who
      return who
    } finally {
      if (!isWrong) guesses.giveBack(network)
    }
  }

  async function byToken(visit: Visit, as: 'call' | 'page' | 'watch'): Promise<Who> {
    const { request } = visit
    const known = await authenticate(request, 'known')
    if (known) return { principal: known }
    // A stream ends as soon as its token does, however many guesses come from its address.
    if (as === 'watch') return whoIs(await authenticate(request, 'latest'))
    return guessing(visit, async () => authenticate(request, 'latest'))
  }

  async function byCookie(
    visit: Visit,
    cookie: string,
    as: 'call' | 'page' | 'watch',
  ): Promise<Who> {
    if (as === 'watch') return whoIs(await sessions.find(cookie, 'watched'))
    const find = () => sessions.find(cookie)
    const who = await guessing(visit, find)
    if (!isLimited(who) || !(await sessions.knows(cookie))) return who
    // Guesses from its address do not lock a valid session out.
    const principal = await find()
    return principal ? { principal } : who
  }

  async function find(visit: Visit, as: 'call' | 'page' | 'watch'): Promise<Who> {
    const { request } = visit
    const { authorization } = request.headers
    const cookie = readCookie(request, sessionCookie, visit.client)
    if (authorization === undefined && cookie === undefined) return { refusal: unauthenticated }
    if (authorization === undefined) {
      const isForeign = !isOwnSite(request.headers['sec-fetch-site'])
      const refusal = as !== 'page' || isForeign ? faultOfCookieRequest(request) : undefined
      if (refusal) return { refusal }
    }
    try {
      return authorization === undefined
        ? await byCookie(visit, cookie!, as)
        : await byToken(visit, as)
    } catch (error) {
      if (error instanceof StoreUnavailable) return { refusal: storeAway }
      throw error
    }
  }

  return async (visit, as) => {
    const who = await find(visit, as)
    if ('refusal' in who && as !== 'watch' && isAttempt(visit, as, who.refusal)) {
      await noteRefusedEntry(refusals, visit, who.refusal)
    }
    return who
  }
}

function isLimited(who: Who): boolean {
  return 'refusal' in who && who.refusal.status === 429
}

function whoIs(principal: Principal | undefined): Who {
  return principal ? { principal } : { refusal: unauthenticated }
}

/** The codes of requests that a foreign page may have sent. */
const foreign = new Set(['CONSOLE_HEADER_REQUIRED', 'FOREIGN_ORIGIN'])

/** A page that anybody may open has no credential at first. */
function isAttempt(
  { request, client }: Visit,
  as: 'call' | 'page',
  { status, code }: Refusal,
): boolean {
  if (foreign.has(code)) return true
  if (status !== unauthenticated.status && status !== 429) return false
  const hasCredential =
    request.headers.authorization !== undefined ||
    readCookie(request, sessionCookie, client) !== undefined
  return as === 'call' || hasCredential
}

function tooManyGuesses(wait: number): Refusal {
  return tooMany('Too many wrong credentials come from this address.', wait)
}
