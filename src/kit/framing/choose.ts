import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { Framing } from '../../contract/framing.ts'
import type { ClientRequest } from '../../contract/request.ts'
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
