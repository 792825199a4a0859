import type { OpaqueBody } from '../contract/body.ts'
import type { ClientRequest } from '../contract/request.ts'
import { type BodyPaceLimits, bodyPace, bodyTooLarge } from '../kit/body-limits.ts'
import type { Ticker } from '../lib/ticker.ts'
import { receiveBody } from './spool/receive-body.ts'
import type { Spool } from './spool/spool.ts'
import { type SpooledBody, maxMemoryBytes } from './spool/spooled-body.ts'

/** The limits of a body that the gateway does not read. */
interface OpaqueLimits extends BodyPaceLimits {
  readonly formBytes: number
}

/**
 * Receives a body of any type into the spool. `undefined` for none. The receiver must dispose of `spooled`. Rejects with
 * `GatewayError` as `readForm` does, and then leaves nothing in the spool.
 */
export async function readOpaque(
  request: ClientRequest,
  limits: OpaqueLimits,
  ticker: Ticker,
  { spool, keyId }: { readonly spool: Spool; readonly keyId: string },
): Promise<{ readonly opaque: OpaqueBody; readonly spooled: SpooledBody } | undefined> {
  const { 'content-length': announced, 'transfer-encoding': coding } = request.headers
  const length = Number(announced ?? 0)
  if (length === 0 && coding === undefined) return undefined
  const most = limits.formBytes
  if (length > most) throw bodyTooLarge(most)
  if (length > maxMemoryBytes) spool.assertSpace(keyId, length)
  request.askForBody?.()
  const spooled = spool.begin(keyId)
  let size = 0
  const feed = (chunk: Buffer) => {
    size += chunk.length
    if (size > most) throw bodyTooLarge(most)
  }
  try {
    await receiveBody(request, spooled, { ticker, least: bodyPace(limits), feed })
    await spooled.finish()
  } catch (error) {
    spooled[Symbol.dispose]()
    throw error
  }
  const opaque = {
    type: request.headers['content-type'],
    length: size,
    read: (bytes: number) => spooled.read(0, Math.min(bytes, size)),
    open: () => spooled.stream([{ start: 0, end: size }]),
  }
  return { opaque, spooled }
}
