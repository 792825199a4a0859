import { GatewayError } from '../../src/contract/errors.ts'
import type { Relocation, Renamed } from '../../src/contract/relocation.ts'
import type { Binding, BindingName } from '../../src/stores/bindings.ts'
import type { PendingBindings } from './pending-writes.ts'
import type { RetryWrites } from './retry-writes.ts'

/** Moves resources that no call has used, or ends the time in which they can move. */
export interface Relocations {
  /** The resource stays on its account from now on. Never rejects: a failed write is retried. */
  stay(name: BindingName, binding: Binding): Promise<void>
  /** The relocation of a resource with a seed. `lookupFailed` makes the error for a store that fails. */
  relocationOf(
    name: BindingName,
    seed: NonNullable<Binding['seed']>,
    lookupFailed: (cause: unknown) => GatewayError,
  ): Relocation
}

/** Creates the relocations of bindings in the store and in the queue of failed writes. */
export function createRelocations(stored: PendingBindings, retries: RetryWrites): Relocations {
  async function change(
    name: BindingName,
    next: (binding: Binding) => Binding | undefined,
  ): Promise<Binding | undefined> {
    await stored.settled(name)
    const waiting = retries.find(name)
    if (!waiting) return stored.change(name, next)
    const changed = next(waiting) ?? waiting
    retries.add(name, changed)
    return changed
  }

  return {
    async stay(name, binding) {
      try {
        await change(name, (known) => (known.seed ? withoutSeed(known) : undefined))
      } catch {
        retries.add(name, withoutSeed(binding))
      }
    },
    relocationOf: (name, seed, lookupFailed) => ({
      seed,
      async settle(account, upstreamId): Promise<Renamed> {
        const settled = await change(name, (known) =>
          known.seed ? { ...withoutSeed(known), account, upstreamId } : undefined,
        ).catch((error: unknown) => {
          throw lookupFailed(error)
        })
        if (settled?.account !== account) throw lookupFailed(new Error('It has just moved.'))
        return { id: name.id, upstreamId: settled.upstreamId ?? name.id }
      },
    }),
  }
}

function withoutSeed(binding: Binding): Binding {
  const { seed, ...rest } = binding
  return seed === undefined ? binding : rest
}
