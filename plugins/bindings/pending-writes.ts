import {
  type Binding,
  type BindingName,
  type Bindings,
  bindingKeyOf,
} from '../../src/stores/bindings.ts'

/** What comes of a binding by a write. Nothing else comes of it where the write is made twice. */
type Write = (binding: Binding | undefined) => Binding | undefined

export interface PendingBindings extends Bindings {
  /** Resolves when nothing of it is being written, and who wrote it knows what came of that. */
  settled(name: BindingName): Promise<void>
}

/**
 * Bindings that are found here from when their writing begins: a reply does not wait long for a store
 * that is slow and has not failed yet, and its client may go on from it at once.
 */
export function withPendingWrites(stored: Bindings): PendingBindings {
  /** With each write its end. */
  const underWay = new Map<string, Map<Write, Promise<void>>>()

  async function during<R>(name: BindingName, write: Write, written: Promise<R>): Promise<R> {
    const key = bindingKeyOf(name)
    const writes = underWay.get(key) ?? new Map<Write, Promise<void>>()
    const { promise, resolve } = Promise.withResolvers<void>()
    underWay.set(key, writes.set(write, promise))
    const end = () => {
      writes.delete(write)
      if (writes.size === 0) underWay.delete(key)
      resolve()
    }
    try {
      const result = await written
      end()
      return result
    } catch (error) {
      // Not before whoever writes it has been told, and keeps it to write it again.
      setImmediate(end)
      throw error
    }
  }

  function writesOf(name: BindingName): ReadonlyMap<Write, Promise<void>> | undefined {
    return underWay.get(bindingKeyOf(name))
  }

  return {
    ...stored,
    async find(name) {
      const writes = [...(writesOf(name)?.keys() ?? [])]
      const saved = writes.findLastIndex((write) => write(undefined))
      const found = saved < 0 ? await stored.find(name) : undefined
      return writes.slice(Math.max(saved, 0)).reduce((binding, write) => write(binding), found)
    },
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
