import type { DialectInfo } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Framing } from '../contract/framing.ts'
import { accountFraming } from '../kit/framing/choose.ts'
import { essenceOf } from '../lib/media-type.ts'
import { isWhole, notAnAnswer } from './failure.ts'

/** The framing of an account's streamed reply. Throws `GatewayError` for a reply that is no stream. */
export function replyFraming(
  dialect: Pick<DialectInfo, 'framing' | 'upstream'>,
  status: number,
  contentType: unknown,
): Framing {
  if (!isWhole(status)) throw notAnAnswer(status)
  const framing = accountFraming(dialect)
  const type = typeof contentType === 'string' ? essenceOf(contentType) : ''
  if (framing.mediaTypes.includes(type)) return framing
  throw new GatewayError('upstream_invalid_reply', 'The upstream did not reply with a stream.')
}
