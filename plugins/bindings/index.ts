import type { Log } from '../../src/lib/log.ts'
import { type GatewayPlugin, type OutcomeInput, definePlugin } from '../../src/contract/plugin.ts'
import type { Bindings } from '../../src/stores/bindings.ts'
import { createResourceStore } from './resource-store.ts'
import { createBindingLookup, pluginName } from './lookup.ts'
import { bindingNameOf } from './binding-name.ts'
import { createRecordProduced } from './record-produced.ts'
import { withPendingWrites } from './pending-writes.ts'
import { retryWrites } from './retry-writes.ts'

/** The options of `bindings`. */
interface BindingOptions {
  readonly bindings: Bindings
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The failed writes, for `/readyz?verbose`. */
interface BindingState {
  /** Failed writes that will be retried. */
  readonly waiting: number
  /** Writes that failed permanently. */
  readonly lost: number
}

/**
 * Records which account produced a response or a conversation, and pins every call that refers to it to
 * that account (docs/wire/contract.md 4).
 */
export function bindings(
  options: BindingOptions,
): GatewayPlugin & { readonly state: BindingState } {
  const { log, now = Date.now } = options
  const stored = withPendingWrites(options.bindings)
  const retries = retryWrites(stored, ({ kind, id }) =>
    log.error('binding lost: calls that refer to the resource will fail', { kind, id }),
  )
  const resources = createResourceStore(stored, retries, log)
  const { verdictOf, bindingOf } = createBindingLookup({ stored, retries, resources, now })
  const recordProduced = createRecordProduced({ stored, retries, bindingOf, log, now })

  async function onOutcome({ exchange, candidate, outcome }: OutcomeInput): Promise<void> {
    const { produced, deleted } = outcome
    if (produced?.binds) await recordProduced(exchange, candidate, produced)
    if (deleted) await resources.forget(bindingNameOf(exchange.caller.keyId, deleted))
  }

  const plugin = definePlugin({
    name: pluginName,
    critical: true,
    onCandidates: ({ exchange, candidates }) =>
      exchange.call.refersTo.length === 0 && !exchange.call.itemReferences
        ? undefined
        : verdictOf(exchange, candidates),
    onProduced: ({ exchange, candidate, produced }) =>
      recordProduced(exchange, candidate, produced),
    // Most outcomes need no write; returning `undefined` avoids a promise.
    onOutcome: (input) =>
      input.outcome.produced?.binds || input.outcome.deleted ? onOutcome(input) : undefined,
    onDispose: () => retries.close(),
  })
  return { ...plugin, state: retries }
}
