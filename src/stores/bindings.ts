import type { JsonObject } from '../lib/json/object.ts'
import type { Records } from './store.ts'

/** Which account a resource lives on, as it is stored. Times are milliseconds since 1970. */
export interface Binding {
  /** The account's id; `''` where none made it. */
  readonly account: string
  /** The platform model that made it; `''` where none did. */
  readonly model: string
  /** What the account calls the resource. Absent: as the client does. */
  readonly upstreamId?: string
  /** What the gateway keeps of it, in its dialect's words. Absent: the account keeps it. */
  readonly kept?: JsonObject
  /** Until when new work may continue from it. Absent: not, or not yet. */
  readonly chainUntil?: number
  /** From when on the resource is nobody's. */
  readonly expiresAt: number
}

/** Whose resource it is. Another key's resources look exactly like unknown ones. */
export interface BindingName {
  readonly kind: string
  /** The caller's key, which survives the rotation of its secret. */
  readonly keyId: string
  readonly id: string
}

/** A response can be continued for one hour; reading extends nothing (docs/wire/contract.md 4). */
export const chainMs = 60 * 60_000

/** A resource can be asked for by its owner for 30 days. */
export const ownedMs = 30 * 24 * 60 * 60_000

/** Longer ids are nobody's; they would only fill the store. Characters. */
const longestId = 512

/** Bindings over a store. Every call rejects with `StoreUnavailable` when the store cannot tell. */
export interface Bindings {
  find(name: BindingName): Promise<Binding | undefined>
  save(name: BindingName, binding: Binding): Promise<void>
  /** Begins the hour of chaining where it has not begun before. */
  beginChain(name: BindingName, until: number): Promise<void>
  /** Changes what is kept. `undefined` where there is no such binding. */
  changeKept(
    name: BindingName,
    next: (kept: JsonObject) => JsonObject,
  ): Promise<JsonObject | undefined>
  forget(name: BindingName): Promise<void>
}

export function createBindings(records: Records<Binding>): Bindings {
  return {
    async find(name) {
      return isPossible(name.id) ? records.get(keyOf(name)) : undefined
    },
    async save(name, binding) {
      if (isPossible(name.id)) await records.set(keyOf(name), binding, { ttlMs: ownedMs })
    },
    async beginChain(name, until) {
      if (!isPossible(name.id)) return
      await records.update(keyOf(name), (binding) =>
        binding.chainUntil === undefined ? { ...binding, chainUntil: until } : undefined,
      )
    },
    async changeKept(name, next) {
      const changed = await records.update(keyOf(name), (binding) =>
        binding.kept ? { ...binding, kept: next(binding.kept) } : undefined,
      )
      return changed?.kept
    },
    async forget(name) {
      if (isPossible(name.id)) await records.delete(keyOf(name))
    },
  }
}

/** Neither kinds nor key ids can hold a space, so that no id can pass for another key's. */
export function keyOf({ kind, keyId, id }: BindingName): string {
  return `${kind} ${keyId} ${id}`
}

/** Clients may write anything; half of a surrogate pair is no text that a store can keep. */
function isPossible(id: string): boolean {
  return id !== '' && id.length <= longestId && id.isWellFormed()
}
