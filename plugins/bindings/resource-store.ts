import type { JsonObject } from '../../src/lib/json/object.ts'
import type { ResourceUpdate, StoredResource } from '../../src/contract/stored.ts'
import type { Log } from '../../src/lib/log.ts'
import type { BindingName } from '../../src/stores/bindings.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import type { PendingBindings } from './pending-writes.ts'
import { type RetryWrites, applyUpdates } from './retry-writes.ts'

/** Changes and deletes stored resources. */
export interface ResourceStore {
  /** `value` is the resource in the store; `parts` are deleted with it. */
  resourceOf(name: BindingName, value: JsonObject, parts: readonly BindingName[]): StoredResource
  /** Deletes a binding. */
  forget(name: BindingName): Promise<void>
}

/**
 * Changes stored resources, in the store or in the queue of failed writes, but not during a write from
 * the queue to the store.
 */
export function createResourceStore(
  stored: PendingBindings,
  retries: RetryWrites,
  log: Log,
): ResourceStore {
  async function change(name: BindingName, next: ResourceUpdate): Promise<JsonObject | undefined> {
    await stored.settled(name)
    const waiting = retries.find(name)
    if (waiting?.kept) {
      const kept = next(waiting.kept)
      retries.add(name, { ...waiting, kept })
      return kept
    }
    const before = retries.updatesOf(name)
    const changed = await stored.changeKept(name, (kept) => next(applyUpdates(before, kept)))
    retries.updatesWritten(name, before)
    return changed
  }

  async function changeLater(
    name: BindingName,
    known: JsonObject,
    next: ResourceUpdate,
  ): Promise<void> {
    try {
      await change(name, next)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      retries.addUpdate(name, next, next(applyUpdates(retries.updatesOf(name), known)))
      log.error('stored resource not changed; the change is retried', {
        kind: name.kind,
        id: name.id,
        error: String(error),
      })
    }
  }

  async function forget(name: BindingName): Promise<void> {
    await stored.settled(name)
    const undo = retries.forget(name)
    try {
      await stored.forget(name)
    } catch (error) {
      undo()
      throw error
    }
  }

  return {
    resourceOf: (name, value, parts) => ({
      value: applyUpdates(retries.updatesOf(name), value),
      update: (next) => change(name, next),
      updateLater: (next) => changeLater(name, value, next),
      // The parts first: after a failure the resource still exists and can be deleted again.
      delete: () => Promise.all(parts.map((one) => forget(one))).then(() => forget(name)),
    }),
    forget,
  }
}
