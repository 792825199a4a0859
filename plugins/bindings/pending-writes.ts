import {
  type Binding,
  type BindingEntry,
  type BindingName,
  type Bindings,
  bindingKeyOf,
} from '../../src/stores/bindings.ts'
import type { ReadOptions } from '../../src/stores/store.ts'

/** A write as a function from the old to the new binding. Idempotent. */
type Write = (binding: Binding | undefined) => Binding | undefined

/** Bindings that include writes in progress. */
export interface PendingBindings extends Bindings {
  /** Resolves when no write of the binding is in progress and its writers know the result. */
  settled(name: BindingName): Promise<void>
}

/**
 * Makes bindings available from the beginning of their write. A reply does not wait long for a slow
 * store, and its client may continue from it at once.
 */
export function withPendingWrites(stored: Bindings): PendingBindings {
  /** Each write in progress, with a promise of its end. */
  const inProgress = new Map<string, Map<Write, Promise<void>>>()

  function begin(key: string, write: Write, promise: Promise<void>): () => void {
    const writes = inProgress.get(key) ?? new Map<Write, Promise<void>>()
    inProgress.set(key, writes.set(write, promise))
    return () => {
      writes.delete(write)
      if (writes.size === 0) inProgress.delete(key)
    }
  }

  function during<R>(name: BindingName, write: Write, written: Promise<R>): Promise<R> {
    const { promise, resolve } = Promise.withResolvers<void>()
    return untilEnd(written, [begin(bindingKeyOf(name), write, promise), resolve])
  }

  function duringAll(entries: readonly BindingEntry[], written: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ends = entries.map(({ name, binding }) =>
      begin(bindingKeyOf(name), () => binding, promise),
    )
    return untilEnd(written, [...ends, resolve])
  }

  async function untilEnd<R>(written: Promise<R>, ends: readonly (() => void)[]): Promise<R> {
    const end = () => {
      for (const one of ends) one()
    }
    try {
      const result = await written
      end()
      return result
    } catch (error) {
      // After the writer has handled the failure and queued the write again.
      setImmediate(end)
      throw error
    }
  }

  function writesOf(name: BindingName): ReadonlyMap<Write, Promise<void>> | undefined {
    return inProgress.get(bindingKeyOf(name))
  }

  async function find(name: BindingName, options?: ReadOptions): Promise<Binding | undefined> {
    const writes = [...(writesOf(name)?.keys() ?? [])]
    const saved = writes.findLastIndex((write) => write(undefined))
    const found = saved < 0 ? await stored.find(name, options) : undefined
    return writes.slice(Math.max(saved, 0)).reduce((binding, write) => write(binding), found)
  }

  return {
    ...stored,
    find,
    async findMany(names, options) {
      const pending = names.map((name) => (writesOf(name) ? find(name, options) : undefined))
      const rest = names.filter((_, index) => !pending[index])
      const found = await stored.findMany(rest, options)
      let next = 0
      return Promise.all(pending.map((one) => one ?? Promise.resolve(found[next++])))
    },
    saveMany: (entries) => duringAll(entries, stored.saveMany(entries)),
    save: (name, binding) => during(name, () => binding, stored.save(name, binding)),
    beginChain: (name, until) =>
      during(
        name,
        (binding) => binding && { chainUntil: until, ...binding },
        stored.beginChain(name, until),
      ),
    async settled(name) {
      const writes = writesOf(name)
      if (writes) await Promise.all(writes.values())
    },
  }
}
