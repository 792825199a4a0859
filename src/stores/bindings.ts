import { type JsonObject, isObject } from '../lib/json/object.ts'
import { readRecordId, recordIdOf } from './record-id.ts'
import { isTime } from './record-values.ts'
import { type ReadOptions, type Records, UnreadableRecord } from './store.ts'

/** Stands for each kind, where an act is asked for a binding whose kind is not known. */
export const anyKind = '*'

/** The kinds of the resources of the shipped dialects. */
export const knownKinds = [
  'response',
  'conversation',
  'item',
  'container',
  'file',
  'audio',
  'message',
] as const

/** The account of a resource, as it is stored. Times are milliseconds since 1970. */
export interface Binding {
  /** The account's id; `''` where the gateway made the resource. */
  readonly account: string
  /** The platform model that made the resource; `''` where none did. */
  readonly model: string
  /** The content, in the format of its dialect. Absent: the account stores the content. */
  readonly kept?: JsonObject
  /** The id at the account, if it is another one than the client's. */
  readonly upstreamId?: string
  /** The request that created it, as long as no call has used it: then it can move to another account. */
  readonly seed?: JsonObject
  /** The trace of the exchange that made it, as a `traceparent`. A damaged one counts as none. */
  readonly trace?: string
  /** The end of the time in which a request may continue from it. Absent: not, or not yet. */
  readonly chainUntil?: number
  /** The time from which the resource is treated as unknown. */
  readonly expiresAt: number
}

/** Begins the kind of a mark that some key owns shared data. It is no resource, and no key may look at it. */
const markPrefix = 'owned-'

/**
 * The name of the mark that some key owns data which an account may have for all keys too. It belongs to no key, so
 * that each of them finds it.
 */
export function ownerMarkOf({ kind, id }: Pick<BindingName, 'kind' | 'id'>): BindingName {
  return { kind: `${markPrefix}${kind}`, keyId: '', id }
}

/** Whether a kind belongs to a mark. */
export function isMarkKind(kind: string | undefined): boolean {
  return kind?.startsWith(markPrefix) ?? false
}

/** The name of a resource, with its owner: other keys' resources look exactly like unknown ones. */
export interface BindingName {
  readonly kind: string
  /** The id of the caller's API key, which survives the rotation of its secret. */
  readonly keyId: string
  readonly id: string
}

/** The namespace of the records of bindings. */
export const bindingsNamespace = 'bindings'

/**
 * A request may continue from a response for one hour. Reading the response does not extend it
 * (docs/wire/contract.md 4).
 */
export const chainMs = 60 * 60_000

/** The owner of a resource can read it for 30 days. */
export const ownedMs = 30 * 24 * 60 * 60_000

/** A binding to write. */
export interface BindingEntry {
  readonly name: BindingName
  readonly binding: Binding
}

/** A binding of a list. A part of its name is `undefined` where the store has only a hash of it. */
export interface ListedBinding {
  /** The id of its record. */
  readonly recordId: string
  readonly kind: string | undefined
  readonly keyId: string | undefined
  readonly id: string | undefined
  /** The content, if it is stored, may be empty. */
  readonly binding: Binding
}

/** The bindings as the data path finds them: also those that this process has not written yet. */
export interface KnownBindings {
  /** `undefined` for an unknown or expired resource. Rejects with `StoreUnavailable`. */
  find(name: BindingName): Promise<Binding | undefined>
  /**
   * Deletes a binding, and the bindings of the items in its content. Rejects with `StoreUnavailable`.
   * `itemsIn` finds the items.
   */
  forget(name: BindingName, itemsIn: (content: JsonObject) => readonly JsonObject[]): Promise<void>
}

/** The bindings in a store. Every call rejects with `StoreUnavailable` when the store fails. */
export interface Bindings {
  /** `undefined` for an unknown or expired resource. */
  find(name: BindingName, options?: ReadOptions): Promise<Binding | undefined>
  /** The bindings in the order of `names`; damaged ones count as unknown. */
  findMany(names: readonly BindingName[], options?: ReadOptions): Promise<(Binding | undefined)[]>
  /** Writes a binding, for 30 days. */
  save(name: BindingName, binding: Binding): Promise<void>
  /** Writes bindings in one round trip. After a failure, some of them may be written. */
  saveMany(entries: readonly BindingEntry[]): Promise<void>
  /** Sets `chainUntil` where it is not set yet. */
  beginChain(name: BindingName, until: number): Promise<void>
  /** Changes a binding; `next` returns `undefined` to leave it as it is. Resolves with the binding. */
  change(
    name: BindingName,
    next: (binding: Binding) => Binding | undefined,
  ): Promise<Binding | undefined>
  /** Changes the content. `undefined` where there is no such binding, or none with content. */
  changeKept(
    name: BindingName,
    next: (kept: JsonObject) => JsonObject,
  ): Promise<JsonObject | undefined>
  /** Deletes a binding. */
  forget(name: BindingName): Promise<void>
}

/** Bindings on the records of a store. */
export function createBindings(records: Records<Binding>): Bindings {
  const change: Bindings['change'] = (name, next) =>
    records.update(bindingKeyOf(name), (binding) => {
      if (!isBinding(binding)) throw new UnreadableRecord()
      return next(binding)
    })

  return {
    async find(name, options) {
      const binding = await records.get(bindingKeyOf(name), options)
      if (binding === undefined || isBinding(binding)) return binding
      throw new UnreadableRecord()
    },
    async findMany(names, options) {
      const found = await records.getMany(names.map(bindingKeyOf), options)
      return found.map((binding) => (isBinding(binding) ? binding : undefined))
    },
    saveMany: (entries) =>
      records.setMany(
        entries.map(({ name, binding }) => ({
          id: bindingKeyOf(name),
          value: binding,
          ttlMs: ownedMs,
        })),
      ),
    save: (name, binding) => records.set(bindingKeyOf(name), binding, { ttlMs: ownedMs }),
    async beginChain(name, until) {
      await change(name, (binding) =>
        // Before the content, which a scan does not read.
        binding.chainUntil === undefined ? { chainUntil: until, ...binding } : undefined,
      )
    },
    change,
    async changeKept(name, next) {
      const changed = await change(name, (binding) =>
        binding.kept ? { ...binding, kept: next(binding.kept) } : undefined,
      )
      return changed?.kept
    },
    async forget(name) {
      await records.delete(bindingKeyOf(name))
    },
  }
}

/** Whether a record is a binding, as this version of the gateway reads it. */
function isBinding(value: unknown): value is Binding {
  const { account, model, kept, upstreamId, seed, chainUntil, expiresAt } = Object(
    value,
  ) as Partial<Record<keyof Binding, unknown>>
  return (
    typeof account === 'string' &&
    typeof model === 'string' &&
    typeof expiresAt === 'number' &&
    (chainUntil === undefined || typeof chainUntil === 'number') &&
    (upstreamId === undefined || typeof upstreamId === 'string') &&
    [kept, seed].every((one) => one === undefined || isObject(one))
  )
}

/** The binding in a scanned record; `undefined` for a record of another form, and for a mark. */
export function listedBindingOf(recordId: string, value: unknown): ListedBinding | undefined {
  const parts = readRecordId(recordId, 2)
  if (!parts || !isBinding(value) || !isTime(value.expiresAt)) return undefined
  const { words, id } = parts
  if (isMarkKind(words[0])) return undefined
  return { recordId, kind: words[0], keyId: words[1], id, binding: value }
}

/** The id of a record. No id can imitate another key's. */
export function bindingKeyOf({ kind, keyId, id }: BindingName): string {
  return recordIdOf([kind, keyId], id)
}
