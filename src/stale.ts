import type { GatewayError } from './errors.ts'
import type { Progress } from './exchange.ts'

/** An idle connection that the upstream closed just as it was used: nothing has been answered. */
export function wasStale(progress: Progress, { code, cause }: GatewayError): boolean {
  const reason = (cause as { code?: unknown } | undefined)?.code
  return (
    code === 'upstream_unreachable' &&
    progress.upstreamFirstByteAt === undefined &&
    (reason === 'UND_ERR_SOCKET' || reason === 'ECONNRESET' || reason === 'EPIPE')
  )
}

/** The end of a connection shows within one way there and back; no image is drawn in that time. */
const raceMs = 1_000

/**
 * Whether an upstream whose connection was stale cannot have begun: it had answered others over that
 * connection, and was heard to have closed it as soon as the request was sent.
 */
export function wasUnread(progress: Progress): boolean {
  const { upstreamReused, upstreamStartedAt = 0, upstreamEndedAt = Infinity } = progress
  return upstreamReused && upstreamEndedAt - upstreamStartedAt < raceMs
}
