import { GatewayError } from '../../../src/contract/errors.ts'

/** A close frame: a code of RFC 6455 (section 7.4.1), and a reason of at most 123 bytes. */
export type Closing = readonly [code: number, reason: string]

/** How the gateway closes a client's socket. OpenAI's SDK connects again after 1001 and 1011, and not after 1008. */
export const closings = {
  drain: [1001, 'The gateway is shutting down: connect again.'],
  expired: [1001, 'The session has lasted for as long as one may.'],
  refused: [1008, 'The gateway serves no further response: see the last error.'],
  cancelled: [1008, 'An operator has ended this session.'],
  failed: [1011, 'The gateway failed to serve this session.'],
  ended: [1001, 'The account has ended the session.'],
  broken: [1011, 'The connection to the account has broken.'],
} as const satisfies Readonly<Record<string, Closing>>

/** Codes of accounts that say the same to clients: what they send is at fault. */
const ofClients: ReadonlySet<number> = new Set([1003, 1007, 1008, 1009])

const longestReason = 123

/** How a client's socket closes after the account's. That an account has ended is never a normal end. */
export function closingOf(
  end: { readonly code: number; readonly reason: string } | GatewayError,
  redact: (text: string) => string,
): Closing {
  if (GatewayError.isInstance(end)) {
    if (end.code === 'draining') return closings.drain
    return end.code === 'exchange_cancelled' ? closings.cancelled : closings.broken
  }
  const { code, reason } = end
  if (code === 1000 || code === 1001) return [closings.ended[0], shown(closings.ended[1], reason)]
  if (ofClients.has(code) || (code >= 3_000 && code <= 4_999)) return [code, shown('', reason)]
  return closings.broken

  function shown(text: string, given: string): string {
    const all = [text, redact(given)].filter((one) => one !== '').join(' ')
    const bytes = Buffer.from(all)
    let length = Math.min(bytes.length, longestReason)
    // No character is cut in two.
    while (((bytes[length] ?? 0) & 0xc0) === 0x80) length--
    return bytes.toString('utf8', 0, length)
  }
}

/** Whether an error is about what a client or an account has sent, and no defect of the gateway. */
export function expected(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.status < 500
}
