import type { Log } from '../../src/lib/log.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import type { StoredData } from '../../src/contract/stored-data.ts'
import { type GatewayPlugin, type OutcomeInput, definePlugin } from '../../src/contract/plugin.ts'
import type { Bindings, KnownBindings } from '../../src/stores/bindings.ts'
import { UnreadableRecord } from '../../src/stores/store.ts'
import { createResourceStore } from './resource-store.ts'
import { createRelocations } from './relocation.ts'
import { createBindingLookup, pluginName } from './lookup.ts'
import { bindingNameOf } from './binding-name.ts'
import { itemNames } from './named-data.ts'
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
): GatewayPlugin & { readonly state: BindingState; readonly known: KnownBindings } {
  const { log, now = Date.now } = options
  const stored = withPendingWrites(options.bindings)
  const retries = retryWrites(stored, ({ kind, id }) =>
    log.error('binding lost: calls that refer to the resource will fail', { kind, id }),
  )
  const resources = createResourceStore(stored, retries, log)
  const relocations = createRelocations(stored, retries)
  const lookup = createBindingLookup({
    stored,
    retries,
    resources,
    relocations,
    now,
  })
  const record = createRecordProduced({ stored, retries, lookup, log, now })

  async function onOutcome({ exchange, candidate, outcome }: OutcomeInput): Promise<void> {
    const { produced, deleted } = outcome
    const discloses = disclosedBy(outcome, exchange.call.replyNamedAs)
    await record(exchange, candidate, { produced, ...(discloses && { discloses }) })
    if (deleted) await resources.forget(bindingNameOf(exchange.caller.keyId, deleted))
  }

  const plugin = definePlugin({
    name: pluginName,
    critical: true,
    onCandidates: ({ exchange, candidates }) =>
      exchange.call.refersTo.length === 0 && !exchange.call.names
        ? undefined
        : lookup.verdictOf(exchange, candidates),
    onProduced: ({ exchange, candidate, produced }) => record(exchange, candidate, { produced }),
    // Most outcomes need no write; returning `undefined` avoids a promise.
    onOutcome: (input) => {
      const { produced, discloses, deleted } = input.outcome
      const isNamed = produced?.binds || input.exchange.call.replyNamedAs
      return isNamed || discloses || deleted ? onOutcome(input) : undefined
    },
    onDispose: () => retries.close(),
  })
  const known: KnownBindings = {
    find: lookup.find,
    async forget(name, itemsIn) {
      const { kept } = (await lookup.find(name).catch(unlessDamaged)) ?? {}
      const items = kept ? itemNames(name.keyId, itemsIn(kept)) : []
      await resources.resourceOf(name, kept ?? {}, items).delete()
    },
  }
  return { ...plugin, state: retries, known }
}

/** The data that a reply discloses, with the reply itself if later calls may name it as data of this kind. */
function disclosedBy(
  { produced, discloses }: Outcome,
  kind: StoredData['kind'] | undefined,
): readonly StoredData[] | undefined {
  return produced && kind ? [{ kind, id: produced.id }, ...(discloses ?? [])] : discloses
}

/** An unreadable record has no items that could be found, and can be deleted. */
function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof UnreadableRecord)) throw error
}
