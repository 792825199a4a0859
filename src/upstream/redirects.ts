import { GatewayError } from '../contract/errors.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { RemoteClient } from '../contract/services.ts'

/** The request that fetches a file, and whether it goes to a host other than the account's. */
export interface FileLocation {
  readonly outbound: Outbound
  readonly isForeign: boolean
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * The next location if `thrown` is a redirect reply to the request for `location`; `undefined`
 * otherwise, or where `remote` does not permit the target.
 */
export function redirectOf(
  thrown: unknown,
  { outbound, isForeign }: FileLocation,
  remote: RemoteClient,
): FileLocation | undefined {
  const answer = GatewayError.isInstance(thrown) ? thrown.upstream : undefined
  const { location } = answer?.headers ?? {}
  if (!answer || !redirectStatuses.has(answer.status) || location === undefined) return undefined
  const url = URL.parse(location, outbound.origin + outbound.path)
  if (!url) return undefined
  if (!isForeign && url.origin === outbound.origin) {
    return { outbound: { ...outbound, path: url.pathname + url.search }, isForeign }
  }
  return foreignLocation(url, outbound.headers, remote)
}

/** Headers that may go to any host. */
const safeHeaders = ['accept', 'accept-encoding', 'range', 'if-range']

/**
 * The location of a file on a foreign host, without data of the account; `undefined` where `remote`
 * does not permit the URL.
 */
export function foreignLocation(
  url: URL,
  headers: Outbound['headers'],
  remote: RemoteClient,
): FileLocation | undefined {
  try {
    remote.check(url)
  } catch {
    return undefined
  }
  const passed = safeHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  )
  return {
    isForeign: true,
    outbound: {
      method: 'GET',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: Object.fromEntries(passed) as Record<string, string>,
      body: null,
    },
  }
}
