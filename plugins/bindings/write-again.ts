import type { JsonObject } from '../../src/lib/json/object.ts'
import type { ResourceUpdate } from '../../src/contract/stored.ts'
import { storedSizeOf } from '../../src/kit/stored-size.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import {
  type Binding,
  type BindingName,
  type Bindings,
  bindingKeyOf,
} from '../../src/stores/bindings.ts'

/** How often writes that failed are tried again, and how long, in milliseconds. */
const pauseMs = 1_000
const longestMs = 10 * 60_000
/** What the end of the process waits for the last attempt, in milliseconds. */
const lastMs = 2_000
/** Beyond so many the oldest is given up: a store that is away must not fill the memory. */
const mostWaiting = 10_000
const mostBytes = 256 * 1024 * 1024

/** Writes that failed after a good reply. They are known here before the store has them. */
export interface WriteAgain {
  add(name: BindingName, binding: Binding): void
  /** A change of what is kept, and what came of it. It may be made twice. */
  addChange(name: BindingName, change: ResourceUpdate, changed: JsonObject): void
  /** A binding that is not in the store yet. */
  find(name: BindingName): Binding | undefined
  /** Changes that are not in the store yet, in their order. */
  changesOf(name: BindingName): readonly ResourceUpdate[]
  /** These are in the store now. */
  changesMade(name: BindingName, changes: readonly ResourceUpdate[]): void
  /** Returns the undo. */
  forget(name: BindingName): () => void
  readonly waiting: number
  /** Given up: nobody will find them again. */
  readonly lost: number
  /** Tries once more, and gives up what is left then. Nothing is tried again after it. */
  close(): Promise<void>
}

interface Waiting {
  readonly name: BindingName
  readonly since: number
  readonly bytes: number
  readonly binding?: Binding
  readonly changes: readonly ResourceUpdate[]
}

const noChanges: readonly ResourceUpdate[] = []

/** What comes of one change after another. */
export function applied(changes: readonly ResourceUpdate[], kept: JsonObject): JsonObject {
  return changes.reduce((value, change) => change(value), kept)
}

/** Writes again what could not be written, for ten minutes. `onLost` is told of what it gives up. */
export function writeAgain(bindings: Bindings, onLost: (name: BindingName) => void): WriteAgain {
  const waiting = new Map<string, Waiting>()
  let bytes = 0
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function put(one: Omit<Waiting, 'since'>): void {
    const key = bindingKeyOf(one.name)
    const since = waiting.get(key)?.since ?? performance.now()
    remove(key)
    waiting.set(key, { ...one, since })
    bytes += one.bytes
    makeRoom()
    schedule()
  }

  /** The newest stays, however large it is. */
  function makeRoom(): void {
    for (const [key, oldest] of waiting) {
      const fits = waiting.size <= mostWaiting && bytes <= mostBytes
      if (fits || waiting.size === 1) return
      giveUp(key, oldest)
    }
  }

  function remove(key: string): Waiting | undefined {
    const one = waiting.get(key)
    if (one && waiting.delete(key)) bytes -= one.bytes
    return one
  }

  function giveUp(key: string, { name }: Waiting): void {
    remove(key)
    lost++
    onLost(name)
  }

  /** One after another: the first that fails says that the store is still away. */
  async function writeAll(until = Infinity): Promise<void> {
    for (const [key, one] of waiting) {
      if (performance.now() > until) return
      if (performance.now() - one.since > longestMs) giveUp(key, one)
      else {
        try {
          await write(one)
          if (waiting.get(key) === one) remove(key)
        } catch (error) {
          if (error instanceof StoreUnavailable) return
          // It is no fault of the store's, and would be none's tomorrow.
          if (waiting.get(key) === one) giveUp(key, one)
        }
      }
    }
  }

  async function write({ name, binding, changes }: Waiting): Promise<void> {
    if (binding) await bindings.save(name, binding)
    else await bindings.changeKept(name, (kept) => applied(changes, kept))
  }

  function schedule(): void {
    if (closed) return
    timer ??= setTimeout(() => {
      void writeAll().finally(() => {
        timer = undefined
        if (waiting.size > 0) schedule()
      })
    }, pauseMs).unref()
  }

  return {
    add: (name, binding) =>
      put({ name, binding, changes: noChanges, bytes: storedSizeOf(binding.kept) }),
    addChange(name, change, changed) {
      const { binding, changes = noChanges } = waiting.get(bindingKeyOf(name)) ?? {}
      const size = { name, bytes: storedSizeOf(changed) }
      if (binding) put({ ...size, binding: { ...binding, kept: changed }, changes: noChanges })
      else put({ ...size, changes: [...changes, change] })
    },
    find: (name) => waiting.get(bindingKeyOf(name))?.binding,
    changesOf: (name) => waiting.get(bindingKeyOf(name))?.changes ?? noChanges,
    changesMade(name, changes) {
      const key = bindingKeyOf(name)
      if (changes.length > 0 && waiting.get(key)?.changes === changes) remove(key)
    },
    forget(name) {
      const one = remove(bindingKeyOf(name))
      return () => {
        if (one && !waiting.has(bindingKeyOf(name))) put(one)
      }
    },
    get waiting() {
      return waiting.size
    },
    get lost() {
      return lost
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await writeAll(performance.now() + lastMs)
      for (const [key, one] of waiting) giveUp(key, one)
    },
  }
}
