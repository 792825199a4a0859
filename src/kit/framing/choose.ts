import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { Framing } from '../../contract/framing.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { GatewayError } from '../../contract/errors.ts'
import { essenceOf } from '../../lib/media-type.ts'
import { sse } from './sse.ts'

/** The framing of streams to a client of a dialect. */
export function clientFraming(
  { framing = sse }: Pick<DialectInfo, 'framing'>,
  request: Pick<ClientRequest, 'headers' | 'query'>,
): Framing {
  return typeof framing === 'function' ? framing(request) : framing
}

/** The framing of streams from accounts of a dialect. */
export function accountFraming({
  framing,
  upstream,
}: Pick<DialectInfo, 'framing' | 'upstream'>): Framing {
  return upstream?.framing ?? (typeof framing === 'object' ? framing : sse)
}

/** The framing of an account's streamed reply. Throws `GatewayError` if the reply is of another type. */
export function framingOfReply(
  dialect: Pick<DialectInfo, 'framing' | 'upstream'>,
  contentType: unknown,
): Framing {
  const framing = accountFraming(dialect)
  const type = typeof contentType === 'string' ? essenceOf(contentType) : ''
  if (framing.mediaTypes.includes(type)) return framing
  throw new GatewayError('upstream_invalid_reply', 'The upstream did not reply with a stream.')
}
