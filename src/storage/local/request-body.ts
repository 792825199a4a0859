import type { Readable } from 'node:stream'

import { GatewayError } from '../../contract/errors.ts'
import { type LeastPace, Pace } from '../../kit/body-limits.ts'
import { within } from '../../lib/deadline.ts'

/**
 * Reads a request body. Throws `GatewayError` 408 if it is slower than `least`, 499 if the connection
 * closes. It never destroys the stream, so that the connection can carry a reply.
 */
export async function* readBodyInTime(stream: Readable, least: LeastPace): AsyncGenerator<Buffer> {
  if (stream.destroyed) throw bodyCutOff()
  const pace = new Pace(least, performance.now())
  const pieces = stream.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await nextPiece(pieces, least)
      if (done) return
      const piece = value as Buffer
      pace.add(piece.length, performance.now())
      if (pace.isTooSlow(performance.now())) throw timedOut()
      const startedAt = performance.now()
      yield piece
      // The time that the disk takes is not the client's.
      pace.pass(performance.now() - startedAt)
    }
  } finally {
    // Not awaited: it resolves only after the pending read, which may never end.
    pieces.return?.().catch(() => {})
  }
}

/** The next piece of a body. Rejects with `GatewayError` 408 after `windowMs`, 499 if the body breaks off. */
function nextPiece(
  pieces: AsyncIterator<unknown>,
  { windowMs }: LeastPace,
): Promise<IteratorResult<unknown>> {
  const piece = pieces.next().catch(() => {
    throw bodyCutOff()
  })
  return within(windowMs, piece, timedOut)
}

function timedOut(): GatewayError {
  return new GatewayError('request_timeout', 'The request body did not arrive in time.')
}

function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}
