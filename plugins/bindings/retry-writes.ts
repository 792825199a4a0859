import type { ResourceUpdate } from '../../src/contract/stored.ts'
import { storedSizeOf } from '../../src/kit/stored-size.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import {
  type Binding,
  type BindingEntry,
  type BindingName,
  type Bindings,
  bindingKeyOf,
} from '../../src/stores/bindings.ts'
import { createRetryQueue } from '../../src/stores/retry-queue.ts'

/** Binding writes that failed after a good reply. They are found here before the store has them. */
export interface RetryWrites {
  /** `parts` are written and given up with it. `shownId`: its id for the log. Default: the id as it is. */
  add(name: BindingName, binding: Binding, parts?: readonly BindingEntry[], shownId?: string): void
  /** An update of a stored resource, and its result. The update may be repeated. */
  addUpdate(name: BindingName, update: ResourceUpdate, result: JsonObject): void
  /** A binding that is not in the store yet. */
  find(name: BindingName): Binding | undefined
  /** Updates that are not in the store yet, in their order. */
  updatesOf(name: BindingName): readonly ResourceUpdate[]
  /** Removes these updates: the store has them now. */
  updatesWritten(name: BindingName, updates: readonly ResourceUpdate[]): void
  /** Removes the waiting updates of a binding. Returns a function that restores them. */
  forget(name: BindingName): () => void
  /** Number of bindings that wait. */
  readonly waiting: number
  /** Number of bindings given up. */
  readonly lost: number
  /** Retries once more, then gives up the rest. */
  close(): Promise<void>
}

/** The unwritten changes of one binding: the whole binding, or updates of one that the store has. */
interface Waiting {
  readonly name: BindingName
  readonly shownId: string
  readonly binding?: Binding
  readonly parts: readonly BindingEntry[]
  readonly updates: readonly ResourceUpdate[]
  /** Size of the resource. */
  readonly bytes: number
}

const noUpdates: readonly ResourceUpdate[] = []

const noParts: readonly BindingEntry[] = []

/** Bytes of a binding without content. */
const partBytes = 500

/** The result of these updates, one after another. */
export function applyUpdates(updates: readonly ResourceUpdate[], resource: JsonObject): JsonObject {
  return updates.reduce((value, update) => update(value), resource)
}

/**
 * Retries failed binding writes for ten minutes. `onLost` is called with the kind of each that is given up, and with its
 * id as logs may have it.
 */
export function retryWrites(
  bindings: Bindings,
  onLost: (lost: { readonly kind: string; readonly id: string }) => void,
): RetryWrites {
  /** The parts that wait, by their keys. */
  const parts = new Map<string, BindingEntry>()
  const queue = createRetryQueue<Waiting>({
    async write(waiting) {
      const { name, binding, updates } = waiting
      if (binding) await bindings.saveMany([{ name, binding }, ...waiting.parts])
      else await bindings.changeKept(name, (resource) => applyUpdates(updates, resource))
      forgetParts(waiting)
    },
    onLost(waiting) {
      forgetParts(waiting)
      onLost({ kind: waiting.name.kind, id: waiting.shownId })
    },
  })

  function put(waiting: Waiting): void {
    for (const part of waiting.parts) parts.set(bindingKeyOf(part.name), part)
    queue.put(bindingKeyOf(waiting.name), waiting, waiting.bytes)
  }

  function shownIdOf(name: BindingName): string {
    return queue.get(bindingKeyOf(name))?.shownId ?? name.id
  }

  function forgetParts(waiting: Waiting | undefined): void {
    for (const part of waiting?.parts ?? noParts) {
      const key = bindingKeyOf(part.name)
      if (parts.get(key) === part) parts.delete(key)
    }
  }

  return {
    add(name, binding, added = noParts, shownId = shownIdOf(name)) {
      const size = ({ kept }: Binding) => partBytes + (kept ? storedSizeOf(kept) : 0)
      const bytes = added.reduce((sum, part) => sum + size(part.binding), size(binding))
      put({ name, shownId, binding, parts: added, updates: noUpdates, bytes })
    },
    addUpdate(name, update, result) {
      const waiting = queue.get(bindingKeyOf(name))
      const { binding, parts: known = noParts, updates = noUpdates } = waiting ?? {}
      const bytes = storedSizeOf(result)
      const same = { name, shownId: shownIdOf(name), parts: known, bytes }
      if (binding) put({ ...same, binding: { ...binding, kept: result }, updates: noUpdates })
      else put({ ...same, updates: [...updates, update] })
    },
    find(name) {
      const key = bindingKeyOf(name)
      return queue.get(key)?.binding ?? parts.get(key)?.binding
    },
    updatesOf: (name) => queue.get(bindingKeyOf(name))?.updates ?? noUpdates,
    updatesWritten(name, updates) {
      const key = bindingKeyOf(name)
      if (updates.length > 0 && queue.get(key)?.updates === updates) queue.delete(key)
    },
    forget(name) {
      const key = bindingKeyOf(name)
      const removed = queue.delete(key)
      forgetParts(removed)
      const part = parts.get(key)
      parts.delete(key)
      return () => {
        if (part) parts.set(key, part)
        if (removed && !queue.get(bindingKeyOf(name))) put(removed)
      }
    },
    get waiting() {
      return queue.size
    },
    get lost() {
      return queue.lost
    },
    close: () => queue.close(),
  }
}
