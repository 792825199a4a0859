import { type Binding, type BindingName, type Bindings, keyOf } from '../../src/stores/bindings.ts'

/** What comes of a binding by a write. Nothing else comes of it where the write is made twice. */
type Write = (binding: Binding | undefined) => Binding | undefined

/**
 * Bindings that are found here from when their writing begins: a reply does not wait long for a store
 * that is slow and has not failed yet, and its client may go on from it at once.
 */
export function knownEarly(stored: Bindings): Bindings {
  const underWay = new Map<string, Set<Write>>()

  async function during<R>(name: BindingName, write: Write, written: Promise<R>): Promise<R> {
    const key = keyOf(name)
    const writes = underWay.get(key) ?? new Set()
    underWay.set(key, writes.add(write))
    const end = () => {
      writes.delete(write)
      if (writes.size === 0 && underWay.get(key) === writes) underWay.delete(key)
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

  return {
    async find(name) {
      const writes = [...(underWay.get(keyOf(name)) ?? [])]
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
    // Whoever asks for a change waits until it is made.
    changeKept: (name, next) => stored.changeKept(name, next),
    async forget(name) {
      await stored.forget(name)
      underWay.delete(keyOf(name))
    },
  }
}
