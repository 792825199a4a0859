import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { Produced } from '../../src/contract/outcome.ts'
import type { Log } from '../../src/lib/log.ts'
import {
  type Binding,
  type BindingName,
  type Bindings,
  chainMs,
  ownedMs,
} from '../../src/stores/bindings.ts'
import { itemNames } from './items.ts'
import type { BindingLookup } from './lookup.ts'
import { bindingNameOf } from './binding-name.ts'
import type { RetryWrites } from './retry-writes.ts'

/** Records the account of a produced resource. Never rejects: failed writes are retried. */
type RecordProduced = (
  exchange: Understood,
  candidate: Candidate | undefined,
  produced: Produced,
) => Promise<void>

/** The parts that `createRecordProduced` combines. */
interface RecordProducedParts {
  readonly stored: Bindings
  readonly retries: RetryWrites
  readonly bindingOf: BindingLookup['bindingOf']
  readonly log: Log
  readonly now: () => number
}

/** Creates the function that records produced resources and their items. */
export function createRecordProduced({
  stored,
  retries,
  bindingOf,
  log,
  now,
}: RecordProducedParts): RecordProduced {
  /** Starts the chain of a background response, at the first call that finds it completed. */
  async function beginChain(exchange: Understood, name: BindingName, until: number): Promise<void> {
    const waiting = retries.find(name)
    if (waiting) return retries.add(name, { chainUntil: until, ...waiting })
    try {
      await stored.beginChain(name, until)
    } catch (error) {
      const binding = bindingOf(exchange.call)
      if (binding) writeLater(exchange, name, { chainUntil: until, ...binding }, error)
    }
  }

  function writeLater(
    exchange: Understood,
    name: BindingName,
    binding: Binding,
    error: unknown,
  ): void {
    retries.add(name, binding)
    log.error('binding not written; the write is retried', {
      kind: name.kind,
      id: name.id,
      request_id: exchange.id,
      error: String(error),
    })
  }

  /** Saves each item separately, so that a request that references an item reads only that item. */
  async function saveItems({ caller, dialect }: Understood, reply: Binding): Promise<void> {
    const items = (reply.kept && dialect.generate?.transcripts?.producedItems(reply.kept)) ?? []
    const { account, model, expiresAt } = reply
    await Promise.all(
      items.map(async (item) => {
        const binding: Binding = { account, model, expiresAt, kept: item }
        for (const name of itemNames(caller.keyId, [item])) {
          await stored.save(name, binding).catch(() => retries.add(name, binding))
        }
      }),
    )
  }

  return async (exchange, candidate, produced) => {
    const name = bindingNameOf(exchange.caller.keyId, produced)
    const time = now()
    const chainUntil = time + chainMs
    if (isAbout(exchange, produced)) {
      // A look-up changes nothing unless it finds the response completed.
      if (produced.binds === 'chain') await beginChain(exchange, name, chainUntil)
      return
    }
    const binding: Binding = {
      account: candidate?.account.id ?? '',
      model: exchange.model.name,
      expiresAt: time + ownedMs,
      ...(produced.stored && { kept: produced.stored }),
      ...(produced.binds === 'chain' && { chainUntil }),
    }
    const items = saveItems(exchange, binding)
    retries.forget(name)
    try {
      await stored.save(name, binding)
    } catch (error) {
      writeLater(exchange, name, binding, error)
    }
    await items
  }
}

/** Whether the exchange requested this resource by its id instead of producing it. */
function isAbout({ call }: Understood, { kind, id }: Produced): boolean {
  return call.refersTo.some((one) => one.use === 'own' && one.kind === kind && one.id === id)
}
