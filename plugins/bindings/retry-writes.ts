import type { ResourceUpdate } from '../../src/contract/stored.ts'
import { storedSizeOf } from '../../src/kit/stored-size.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import {
  type Binding,
  type BindingName,
  type Bindings,
  bindingKeyOf,
} from '../../src/stores/bindings.ts'
import { createRetryQueue } from '../../src/stores/retry-queue.ts'

/** Binding writes that failed after a good reply. They are found here before the store has them. */
export interface RetryWrites {
  add(name: BindingName, binding: Binding): void
  /** An update of a stored resource, and its result. The update may be repeated. */
  addUpdate(name: BindingName, update: ResourceUpdate, result: JsonObject): void
  /** A binding that is not in the store yet. */
  find(name: BindingName): Binding | undefined
  /** Updates that are not in the store yet, in their order. */
  updatesOf(name: BindingName): readonly ResourceUpdate[]
  /** Removes these updates: the store has them now. */
  updatesWritten(name: BindingName, updates: readonly ResourceUpdate[]): void
  /** Removes what waits for a binding. Returns the undo. */
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
  readonly binding?: Binding
  readonly updates: readonly ResourceUpdate[]
  /** Size of the resource. */
  readonly bytes: number
}

const noUpdates: readonly ResourceUpdate[] = []

/** The result of these updates, one after another. */
export function applyUpdates(updates: readonly ResourceUpdate[], resource: JsonObject): JsonObject {
  return updates.reduce((value, update) => update(value), resource)
}

/** Retries failed binding writes for ten minutes. `onLost` is called with each that is given up. */
export function retryWrites(bindings: Bindings, onLost: (name: BindingName) => void): RetryWrites {
  const queue = createRetryQueue<Waiting>({
    async write({ name, binding, updates }) {
      if (binding) await bindings.save(name, binding)
      else await bindings.changeKept(name, (resource) => applyUpdates(updates, resource))
    },
    onLost: ({ name }) => onLost(name),
  })

  function put(waiting: Waiting): void {
    queue.put(bindingKeyOf(waiting.name), waiting, waiting.bytes)
  }

  return {
    add: (name, binding) =>
      put({ name, binding, updates: noUpdates, bytes: storedSizeOf(binding.kept) }),
    addUpdate(name, update, result) {
      const { binding, updates = noUpdates } = queue.get(bindingKeyOf(name)) ?? {}
      const bytes = storedSizeOf(result)
      if (binding) put({ name, binding: { ...binding, kept: result }, updates: noUpdates, bytes })
      else put({ name, updates: [...updates, update], bytes })
    },
    find: (name) => queue.get(bindingKeyOf(name))?.binding,
    updatesOf: (name) => queue.get(bindingKeyOf(name))?.updates ?? noUpdates,
    updatesWritten(name, updates) {
      const key = bindingKeyOf(name)
      if (updates.length > 0 && queue.get(key)?.updates === updates) queue.delete(key)
    },
    forget(name) {
      const removed = queue.delete(bindingKeyOf(name))
      return () => {
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
