import type { Routing } from '../contract/exchange.ts'
import { poolOf } from '../route/route.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { CreatedResource, StoredResource } from '../contract/stored.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'

/**
 * Serves a call that needs no account: the gateway stores the resource that it refers to, or creates
 * one. Returns `undefined` for calls that need an account.
 */
export function answerFromStore(
  exchange: Understood,
  { forward }: ForwardOperation,
  { stored }: Pick<Routing, 'stored'>,
  environment: AttemptEnvironment,
): Promise<Reply> | undefined {
  if ('plan' in forward) return undefined
  if (stored && forward.serveStored) {
    const resource = exchange.isDryRun ? unchanged(stored) : stored
    return Promise.resolve(forward.serveStored(exchange, resource))
  }
  if (!forward.createStored || poolOf(exchange).length > 0) return undefined
  return store(exchange, forward.createStored(exchange), environment)
}

/** The resource of a dry run: it answers as if it were changed, and stays as it is. */
function unchanged({ value }: StoredResource): StoredResource {
  return {
    value,
    update: async (next) => next(value),
    updateLater: async () => {},
    delete: async () => {},
  }
}

/** Resolves after the store has the resource, so that the client's next call can find it. */
async function store(
  exchange: Understood,
  { kind, id, value, reply }: CreatedResource,
  { hooks }: AttemptEnvironment,
): Promise<Reply> {
  const produced = { kind, id, model: undefined, binds: 'own', stored: value } as const
  await hooks.produced?.({ exchange, candidate: undefined, produced })
  return reply
}
