import { type StoredData, mayBeShared } from '../../src/contract/stored-data.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { Outcome, Produced } from '../../src/contract/outcome.ts'
import { isDataId, mostData } from '../../src/kit/observer-state.ts'
import { cleanText } from '../../src/kit/secrets/exchange-texts.ts'
import type { Log } from '../../src/lib/log.ts'
import { TextSet } from '../../src/lib/text-map.ts'
import { nextTurn } from '../../src/lib/turns.ts'
import {
  type Binding,
  type BindingEntry,
  type BindingName,
  type Bindings,
  chainMs,
  ownedMs,
  ownerMarkOf,
} from '../../src/stores/bindings.ts'
import { itemNames, nameOfData } from './named-data.ts'
import type { BindingLookup } from './lookup.ts'
import { bindingNameOf, canBind } from './binding-name.ts'
import type { RetryWrites } from './retry-writes.ts'

/**
 * Records the account of a produced resource, and the owner of the data that a reply discloses, in one
 * write. Never rejects: failed writes are retried.
 */
type RecordProduced = (
  exchange: Understood,
  candidate: Candidate | undefined,
  reply: Pick<Outcome, 'produced' | 'discloses'>,
) => Promise<void>

/** Accounts choose ids. Characters. */
const longestId = 512

/** The parts that `createRecordProduced` combines. */
interface RecordProducedParts {
  readonly stored: Bindings
  readonly retries: RetryWrites
  readonly lookup: Pick<BindingLookup, 'bindingOf' | 'findMany'>
  readonly log: Log
  readonly now: () => number
}

/** Creates the function that records produced resources and disclosed data. */
export function createRecordProduced({
  stored,
  retries,
  lookup,
  log,
  now,
}: RecordProducedParts): RecordProduced {
  /** Starts the chain of a background response, at the first call that finds it completed. */
  async function beginChain(exchange: Understood, name: BindingName): Promise<void> {
    const until = now() + chainMs
    const waiting = retries.find(name)
    if (waiting) return retries.add(name, { chainUntil: until, ...waiting })
    try {
      await stored.beginChain(name, until)
    } catch (error) {
      const binding = lookup.bindingOf(exchange.call)
      if (!binding) return
      writeLater(exchange, [{ name, binding: { chainUntil: until, ...binding } }], error)
    }
  }

  function writeLater(
    exchange: Understood,
    [first, ...parts]: readonly BindingEntry[],
    error: unknown,
  ): void {
    if (!first) return
    const { name, binding } = first
    const id = cleanText(name.id, exchange, longestId)
    retries.add(name, binding, parts, id)
    log.error('binding not written; the write is retried', {
      kind: name.kind,
      id,
      request_id: exchange.id,
      error: String(error),
    })
  }

  /** Resolves with whether the entries are in the store now. */
  async function save(exchange: Understood, entries: readonly BindingEntry[]): Promise<boolean> {
    for (const { name } of entries) retries.forget(name)
    try {
      // The turn that ends a long call has worked enough: to write its content as JSON takes as long again.
      if (exchange.body.isLarge) await nextTurn(exchange.caller.keyId)
      await stored.saveMany(entries)
      return true
    } catch (error) {
      writeLater(exchange, entries, error)
      return false
    }
  }

  /**
   * The entries that are not in the store: reading a list again writes nothing, and the account that was the first to
   * say that it has made shared data keeps its mark.
   */
  async function unknownOf(entries: readonly BindingEntry[]): Promise<readonly BindingEntry[]> {
    if (entries.length === 0) return entries
    try {
      const known = await lookup.findMany(entries.map(({ name }) => name))
      return entries.filter((_, index) => !known[index])
    } catch {
      return entries
    }
  }

  function bindingOf(exchange: Understood, candidate: Candidate | undefined): Binding {
    const account = candidate?.account.id ?? ''
    return { account, model: exchange.model.name, expiresAt: now() + ownedMs }
  }

  return async (exchange, candidate, { produced: reported, discloses = [] }) => {
    const binding = bindingOf(exchange, candidate)
    const produced = reported && canBind(reported) ? reported : undefined
    const { owned, marks } = dataEntries(exchange, discloses, binding)
    if (produced?.binds && !isAbout(exchange, produced)) {
      const newMarks = await unknownOf(marks)
      const entries = [
        ...producedEntries(exchange, produced, binding, now()),
        ...newMarks,
        ...owned,
      ]
      const isWritten = await save(exchange, entries)
      exchange.progress.trace?.bound(ownedMs, isWritten)
      return
    }
    // A look-up changes nothing unless it finds the response completed.
    if (produced?.binds === 'chain') {
      await beginChain(exchange, bindingNameOf(exchange.caller.keyId, produced))
    }
    const unknown = await unknownOf([...marks, ...owned])
    if (unknown.length > 0) await save(exchange, unknown)
  }
}

/**
 * The entries of a resource, and one for each item that the gateway stores, so that a request that
 * references an item reads only that item.
 */
function producedEntries(
  { caller, dialect, progress: { trace } }: Understood,
  produced: Produced,
  owned: Binding,
  time: number,
): BindingEntry[] {
  const { stored: kept, binds, seed } = produced
  const binding: Binding = {
    ...owned,
    // Before the content, which a scan does not read.
    ...(binds === 'chain' && { chainUntil: time + chainMs }),
    ...(trace && { trace: trace.traceparent }),
    ...(kept && { kept }),
    ...(seed && { seed }),
  }
  const items = (kept && dialect.generate?.transcripts?.producedItems(kept)) ?? []
  return [
    { name: bindingNameOf(caller.keyId, produced), binding },
    ...items.slice(0, mostData).flatMap((item) =>
      itemNames(caller.keyId, [item]).map((name) => ({
        name,
        binding: { ...owned, kept: item },
      })),
    ),
  ]
}

/** The entries of disclosed data, and the marks that some key owns data which may be shared. */
interface DataEntries {
  readonly owned: readonly BindingEntry[]
  readonly marks: readonly BindingEntry[]
}

function dataEntries(
  { caller, call }: Understood,
  disclosed: readonly StoredData[],
  binding: Binding,
): DataEntries {
  const data = disclosed.filter(isDataId).slice(0, mostData)
  const shared = data.some(mayBeShared) ? call.names?.filter(mayBeShared) : undefined
  const named = new TextSet(shared?.map(({ id }) => id))
  // Data that the request named existed before, and may be the operator's.
  const made = data.filter((one) => !mayBeShared(one) || !named.has(one.id))
  return {
    owned: made.map((one) => ({ name: nameOfData(caller.keyId, one), binding })),
    marks: made.filter(mayBeShared).map((one) => ({ name: ownerMarkOf(one), binding })),
  }
}

/** Whether the exchange requested this resource by its id instead of producing it. */
function isAbout({ call }: Understood, { kind, id }: Produced): boolean {
  return call.refersTo.some((one) => one.use === 'own' && one.kind === kind && one.id === id)
}
