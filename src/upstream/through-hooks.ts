import type { Reply } from '../exchange.ts'
import type { Outbound } from '../plugin.ts'
import type { AttemptHandler } from './attempt-handler.ts'

/** A hook may send several requests, or wait for none: what nobody took is let go. */
export async function attemptThroughHooks(
  hook: (next: (outbound: Outbound) => Promise<Reply>) => Promise<Reply>,
  send: (outbound: Outbound) => AttemptHandler,
): Promise<Reply> {
  const handlers: AttemptHandler[] = []
  let reply: Reply | undefined
  try {
    reply = await hook((outbound) => {
      const handler = send(outbound)
      handlers.push(handler)
      return handler.reply
    })
    return reply
  } finally {
    for (const handler of handlers) handler.letGoUnless(reply?.body)
  }
}
