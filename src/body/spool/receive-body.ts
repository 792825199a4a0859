import { type LeastPace, Pace, bodyCutOff } from '../../kit/body-limits.ts'
import { GatewayError, toGatewayError } from '../../contract/errors.ts'
import type { ClientRequest } from '../../contract/request.ts'
import type { Ticker } from '../../lib/ticker.ts'
import type { SpooledBody } from './spooled-body.ts'

/** How a body is received. */
interface Reception {
  readonly ticker: Ticker
  readonly least: LeastPace
  /** Called with each chunk before it is written. Throws `GatewayError` to refuse the body. */
  readonly feed: (chunk: Buffer) => void
}

/**
 * Receives a whole body into the spool, at the pace of the disk. Rejects with `GatewayError`; the rest of a refused body is
 * read and dropped.
 */
export function receiveBody(
  { stream }: Pick<ClientRequest, 'stream'>,
  spooled: SpooledBody,
  { ticker, least, feed }: Reception,
): Promise<void> {
  if (stream.destroyed) return Promise.reject(bodyCutOff())
  return new Promise((resolve, reject) => {
    let settled = false
    const pace = new Pace(least, performance.now())
    let pausedAt: number | undefined
    const watched = {
      tick(now: number) {
        // While the gateway pauses the client, no time passes for it.
        if (pausedAt === undefined && pace.isTooSlow(now)) {
          settle(new GatewayError('request_timeout', 'The request body did not arrive in time.'))
        }
      },
      interrupt: () => settle(new GatewayError('draining', 'The gateway is shutting down.')),
    }
    const accept = (chunk: Buffer) => {
      feed(chunk)
      const written = spooled.write(chunk)
      if (!written) return
      pausedAt = performance.now()
      stream.pause()
      written.then(resume, settle)
    }
    const resume = () => {
      if (pausedAt !== undefined) pace.pass(performance.now() - pausedAt)
      pausedAt = undefined
      stream.resume()
    }
    const onData = (chunk: Buffer) => {
      if (settled) return
      pace.add(chunk.length, performance.now())
      try {
        accept(chunk)
      } catch (error) {
        settle(error)
      }
    }
    const settle = (error?: unknown) => {
      if (settled) return
      settled = true
      ticker.delete(watched)
      stream.resume()
      if (error === undefined) resolve()
      else reject(toGatewayError(error))
    }
    const onClose = () => settle(bodyCutOff())
    stream
      .on('data', onData)
      .on('end', () => settle())
      .on('close', onClose)
      .on('error', onClose)
    ticker.add(watched)
  })
}
