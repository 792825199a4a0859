import { computedOnce } from '../lib/computed-once.ts'
import type { AdminContext } from './context.ts'
import { findKeyViews } from './keys.ts'
import type { KeyView } from './key-view.ts'
import { readStore } from './read-store.ts'

/** How long a key counts as read, in milliseconds: an operation, or a stream, asks for the same ones again and again. */
const trustedMs = 500

/** A read that begins when the resolvers of this turn have asked. */
interface Read {
  readonly ids: string[]
  readonly keys: Promise<ReadonlyMap<string, KeyView>>
}

/** The keys that an operation has asked for. */
interface Loads {
  readonly found: Map<string, Promise<KeyView | undefined>>
  next: Read | undefined
}

const loadsOf = computedOnce<AdminContext, Loads>(() => ({ found: new Map(), next: undefined }))

/**
 * The key of an id for one of many objects of an answer: the objects of a turn share one read. Rejects with
 * `StoreUnavailable`.
 */
export function loadKey(context: AdminContext, id: string): Promise<KeyView | undefined> {
  const loads = loadsOf(context)
  const known = loads.found.get(id)
  if (known) return known
  const { ids, keys } = (loads.next ??= newRead(context, loads))
  ids.push(id)
  const key = keys.then((all) => all.get(id))
  loads.found.set(id, key)
  return key
}

function newRead(context: AdminContext, loads: Loads): Read {
  const ids: string[] = []
  const read = async () => {
    // Lists resolve their objects in the microtasks of one turn.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    loads.next = undefined
    setTimeout(() => ids.forEach((id) => loads.found.delete(id)), trustedMs).unref()
    const keys = await readStore(context, () => findKeyViews(context.services, ids))
    return new Map(keys.map((key) => [key.id, key]))
  }
  return { ids, keys: read() }
}
