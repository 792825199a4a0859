import type { Routing } from '../contract/exchange.ts'
import { poolOf } from '../route/route.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { CreatedResource } from '../contract/stored.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'

/** The answer to a call that needs no account, because the gateway keeps what it is about. */
export function answerFromStore(
  exchange: Understood,
  { forward }: ForwardOperation,
  { stored: kept }: Pick<Routing, 'stored'>,
  environment: AttemptEnvironment,
): Promise<Reply> | undefined {
  if ('plan' in forward) return undefined
  if (kept && forward.serveStored) return Promise.resolve(forward.serveStored(exchange, kept))
  if (!forward.createStored || poolOf(exchange).length > 0) return undefined
  return remember(exchange, forward.createStored(exchange), environment)
}

/** It is found again before the client knows its name. */
async function remember(
  exchange: Understood,
  { kind, id, value, reply }: CreatedResource,
  { hooks }: AttemptEnvironment,
): Promise<Reply> {
  const produced = { kind, id, model: undefined, binds: 'own', stored: value } as const
  await hooks.produced?.({ exchange, candidate: undefined, produced })
  return reply
}
