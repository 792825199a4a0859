import { GatewayError } from '../contract/errors.ts'
import type { Outbound } from '../contract/attempt.ts'
import type { RemoteClient } from '../contract/services.ts'

/** Where a file is, and whether the account's own host is asked for it. */
export interface FileLocation {
  readonly outbound: Outbound
  readonly isElsewhere: boolean
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where an account's answer leads on to; `undefined` where it does not. */
export function redirectOf(
  thrown: unknown,
  { outbound, isElsewhere }: FileLocation,
  remote: RemoteClient,
): FileLocation | undefined {
  const answer = GatewayError.isInstance(thrown) ? thrown.upstream : undefined
  const { location } = answer?.headers ?? {}
  if (!answer || !redirects.has(answer.status) || location === undefined) return undefined
  const url = URL.parse(location, outbound.origin + outbound.path)
  if (!url) return undefined
  if (!isElsewhere && url.origin === outbound.origin) {
    return { outbound: { ...outbound, path: url.pathname + url.search }, isElsewhere }
  }
  return foreignLocation(url, outbound.headers, remote)
}

/** Headers that any host may be told. */
const harmless = ['accept', 'accept-encoding', 'range', 'if-range']

/** Another host is told nothing that is the account's, and is none that clients must not reach. */
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
  const kept = harmless.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  )
  return {
    isElsewhere: true,
    outbound: {
      method: 'GET',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: Object.fromEntries(kept) as Record<string, string>,
      body: null,
    },
  }
}
