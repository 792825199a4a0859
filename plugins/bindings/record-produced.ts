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

/** Writes down who made what. Never rejects: what the store does not take is written later. */
export type RecordProduced = (
  exchange: Understood,
  candidate: Candidate | undefined,
  produced: Produced,
) => Promise<void>

export interface RecordProducedParts {
  readonly stored: Bindings
  readonly again: RetryWrites
  readonly seenBy: BindingLookup['seenBy']
  readonly log: Log
  readonly now: () => number
}

export function createRecordProduced({
  stored,
  again,
  seenBy,
  log,
  now,
}: RecordProducedParts): RecordProduced {
  /** A response of the background was seen completed, by whoever asks for it first. */
  async function beginChain(exchange: Understood, name: BindingName, until: number): Promise<void> {
    const waiting = again.find(name)
    if (waiting) return again.add(name, { chainUntil: until, ...waiting })
    try {
      await stored.beginChain(name, until)
    } catch (error) {
      const seen = seenBy(exchange.call)
      if (seen) writeLater(exchange, name, { chainUntil: until, ...seen }, error)
    }
  }

  function writeLater(
    exchange: Understood,
    name: BindingName,
    binding: Binding,
    error: unknown,
  ): void {
    again.add(name, binding)
    log.error('a binding could not be written; it is tried again', {
      kind: name.kind,
      id: name.id,
      request_id: exchange.id,
      error: String(error),
    })
  }

  /** By themselves, so that a request that names some of them needs no more than those. */
  async function saveItems({ caller, dialect }: Understood, whole: Binding): Promise<void> {
    const made = (whole.kept && dialect.generate?.transcripts?.producedItems(whole.kept)) ?? []
    const { account, model, expiresAt } = whole
    await Promise.all(
      made.map(async (kept) => {
        const binding: Binding = { account, model, expiresAt, kept }
        for (const name of itemNames(caller.keyId, [kept])) {
          await stored.save(name, binding).catch(() => again.add(name, binding))
        }
      }),
    )
  }

  return async (exchange, candidate, produced) => {
    const name = bindingNameOf(exchange.caller.keyId, produced)
    const time = now()
    const chainUntil = time + chainMs
    if (isAbout(exchange, produced)) {
      // Somebody looked at it: that alone changes nothing, unless it has just been completed.
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
    again.forget(name)
    try {
      await stored.save(name, binding)
    } catch (error) {
      writeLater(exchange, name, binding, error)
    }
    await items
  }
}

/** Whether the exchange asked for this very resource, and has not made it. */
function isAbout({ call }: Understood, { kind, id }: Produced): boolean {
  return call.refersTo.some((one) => one.use === 'own' && one.kind === kind && one.id === id)
}
