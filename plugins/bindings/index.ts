import type { Log } from '../../src/lib/log.ts'
import { type GatewayPlugin, type OutcomeInput, definePlugin } from '../../src/contract/plugin.ts'
import type { Bindings } from '../../src/stores/bindings.ts'
import { createResourceStore } from './resource-store.ts'
import { by, createBindingLookup } from './lookup.ts'
import { bindingNameOf } from './binding-name.ts'
import { createRecordProduced } from './record-produced.ts'
import { withPendingWrites } from './pending-writes.ts'
import { retryWrites } from './retry-writes.ts'

export interface BindingOptions {
  readonly bindings: Bindings
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What `/readyz?verbose` tells of the bindings. */
export interface BindingState {
  /** Writes that failed and are tried again. */
  readonly waiting: number
  /** Writes that failed for good. */
  readonly lost: number
}

/**
 * Remembers which account made a response or a conversation, and sends every call that refers to it
 * there: to that account or to none (docs/wire/contract.md 4).
 */
export function bindings(
  options: BindingOptions,
): GatewayPlugin & { readonly state: BindingState } {
  const { log, now = Date.now } = options
  const stored = withPendingWrites(options.bindings)
  const again = retryWrites(stored, ({ kind, id }) =>
    log.error('a binding is lost: calls that refer to it will not find it', { kind, id }),
  )
  const keeper = createResourceStore(stored, again, log)
  const { verdictOf, seenBy } = createBindingLookup({ stored, again, keeper, now })
  const remember = createRecordProduced({ stored, again, seenBy, log, now })

  async function onOutcome({ exchange, candidate, outcome }: OutcomeInput): Promise<void> {
    const { produced, deleted } = outcome
    if (produced?.binds) await remember(exchange, candidate, produced)
    if (deleted) await keeper.forget(bindingNameOf(exchange.caller.keyId, deleted))
  }

  const plugin = definePlugin({
    name: by,
    critical: true,
    onCandidates: ({ exchange, candidates }) =>
      exchange.call.refersTo.length === 0 && !exchange.call.itemReferences
        ? undefined
        : verdictOf(exchange, candidates),
    onProduced: ({ exchange, candidate, produced }) => remember(exchange, candidate, produced),
    // Most outcomes name nothing that has to be remembered, and have nothing to wait for.
    onOutcome: (input) =>
      input.outcome.produced?.binds || input.outcome.deleted ? onOutcome(input) : undefined,
    onDispose: () => again.close(),
  })
  return { ...plugin, state: again }
}
