import type { JsonObject } from '../../src/lib/json/object.ts'
import type { ResourceUpdate, StoredResource } from '../../src/contract/stored.ts'
import type { Log } from '../../src/lib/log.ts'
import type { BindingName } from '../../src/stores/bindings.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import type { PendingBindings } from './pending-writes.ts'
import { type RetryWrites, applyUpdates } from './retry-writes.ts'

/** What of a binding can be changed once it is there. */
export interface ResourceStore {
  /** `value` is what the store has, and `parts` what is forgotten with it. */
  resourceOf(name: BindingName, value: JsonObject, parts: readonly BindingName[]): StoredResource
  forget(name: BindingName): Promise<void>
}

/**
 * Changes what the gateway keeps: in the store, or where it waits for the store, but not while it is on
 * its way from the one to the other.
 */
export function createResourceStore(
  stored: PendingBindings,
  again: RetryWrites,
  log: Log,
): ResourceStore {
  async function change(name: BindingName, next: ResourceUpdate): Promise<JsonObject | undefined> {
    await stored.settled(name)
    const waiting = again.find(name)
    if (waiting?.kept) {
      const kept = next(waiting.kept)
      again.add(name, { ...waiting, kept })
      return kept
    }
    const before = again.updatesOf(name)
    const changed = await stored.changeKept(name, (kept) => next(applyUpdates(before, kept)))
    again.updatesWritten(name, before)
    return changed
  }

  async function extend(name: BindingName, known: JsonObject, next: ResourceUpdate): Promise<void> {
    try {
      await change(name, next)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      again.addUpdate(name, next, next(applyUpdates(again.updatesOf(name), known)))
      log.error('what is kept could not be changed; it is tried again', {
        kind: name.kind,
        id: name.id,
        error: String(error),
      })
    }
  }

  async function forget(name: BindingName): Promise<void> {
    await stored.settled(name)
    const undo = again.forget(name)
    try {
      await stored.forget(name)
    } catch (error) {
      undo()
      throw error
    }
  }

  return {
    resourceOf: (name, stands, parts) => ({
      value: applyUpdates(again.updatesOf(name), stands),
      update: (next) => change(name, next),
      updateLater: (next) => extend(name, stands, next),
      // Whoever deletes it again finds it as long as there is anything left of it.
      delete: () => Promise.all(parts.map((one) => forget(one))).then(() => forget(name)),
    }),
    forget,
  }
}
