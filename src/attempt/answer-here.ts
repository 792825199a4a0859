import type { Routing } from '../contract/exchange.ts'
import { poolOf } from '../route/route.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { Established } from '../contract/stored.ts'
import type { Environment } from '../upstream/environment.ts'

/** The answer to a call that needs no account, because the gateway keeps what it is about. */
export function answerHere(
  exchange: Understood,
  { forward }: ForwardOperation,
  { kept }: Pick<Routing, 'kept'>,
  environment: Environment,
): Promise<Reply> | undefined {
  if ('plan' in forward) return undefined
  if (kept && forward.kept) return Promise.resolve(forward.kept(exchange, kept))
  if (!forward.establish || poolOf(exchange).length > 0) return undefined
  return remember(exchange, forward.establish(exchange), environment)
}

/** It is found again before the client knows its name. */
async function remember(
  exchange: Understood,
  { kind, id, value, reply }: Established,
  { hooks }: Environment,
): Promise<Reply> {
  const produced = { kind, id, model: undefined, binds: 'own', kept: value } as const
  await hooks.produced?.({ exchange, candidate: undefined, produced })
  return reply
}
