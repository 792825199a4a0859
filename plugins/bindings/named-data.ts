import type { Candidate } from '../../src/contract/candidate.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Pin } from '../../src/contract/call.ts'
import { type NamedData, type StoredData, mayBeShared } from '../../src/contract/stored-data.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { TranscriptStore, StoredResource } from '../../src/contract/stored.ts'
import type { Verdict } from '../../src/contract/plugin.ts'
import { type Binding, type BindingName, ownerMarkOf } from '../../src/stores/bindings.ts'
import { differentAccounts, errorsOf } from './errors.ts'
import { bindingNameOf } from './binding-name.ts'
import { defined } from '../../src/lib/json/object.ts'
import { isDataId } from '../../src/kit/observer-state.ts'
import { TextMap } from '../../src/lib/text-map.ts'

/** Different data that is looked up for a call; further data counts as unknown. */
const maxLookups = 1_000

/** The arguments of `ownNamedData` besides the call. */
interface NamedDataOptions {
  /** Rejects if the store is unavailable. */
  readonly findMany: (names: readonly BindingName[]) => Promise<(Binding | undefined)[]>
}

/** The data that a call names, as far as it is known to belong to the caller's key. */
interface Owned {
  /** Items that the gateway stores, by id. */
  readonly kept: Map<string, JsonObject>
  /** The accounts of the data that only its account has, each with the model that made it. */
  readonly owners: Map<string, string>
  /** References to data that is not known. */
  readonly unknown: NamedData[]
  /** Unknown data that accounts of other dialects can do without. */
  readonly dispensable: NamedData[]
  /** Data that an account has made for another key, by the account. Another one may have its own by the same id. */
  readonly foreign: Map<string, NamedData>
}

/**
 * Checks that the data which a call names belongs to its key, and returns the resulting pin. `pin` is the
 * one of the resource that the call refers to. The items that the gateway stores become a part of the
 * pin's resource; other data pins the call to its account. The result may be verdicts that exclude the
 * accounts which could read data of other keys. Throws `GatewayError` for unknown data.
 */
export async function ownNamedData(
  exchange: Understood,
  candidates: readonly Candidate[],
  pin: Pin | undefined,
  options: NamedDataOptions,
): Promise<Pin | readonly (Verdict | undefined)[] | undefined> {
  const { names = [] } = exchange.call
  if (names.length === 0) return pin
  const isNative = pin ? !pin.stored : candidates.some(({ native }) => native)
  const relevant = names.filter(({ isReference }) => isReference || isNative)
  const owned = await lookUp(exchange, relevant, pin, options)
  const [unknown] = owned.unknown
  if (unknown) throw notFound(unknown)
  const [spare] = owned.dispensable
  const own = pinOf(exchange, pin, owned, candidates)
  if (own?.stored) return own
  if (spare) {
    if (own || candidates.every(({ native }) => native)) throw notFound(spare)
    return candidates.map(({ native }) => (native ? without(spare) : undefined))
  }
  const { foreign } = owned
  return foreign.size === 0 ? own : withoutForeign(own, candidates, foreign)
}

/** Keeps a call away from the accounts that could read the data of other keys. */
function withoutForeign(
  pin: Pin | undefined,
  candidates: readonly Candidate[],
  foreign: ReadonlyMap<string, NamedData>,
): Pin | readonly (Verdict | undefined)[] {
  const [first] = foreign.values()
  if (pin) {
    const here = pin.pinnedTo === undefined ? first : foreign.get(pin.pinnedTo)
    if (here) throw notFound(here)
    return pin
  }
  const found = candidates.map(({ account, native }) =>
    native ? foreign.get(account.id) : undefined,
  )
  if (found.every((one) => one !== undefined)) throw notFound(first!)
  return found.map((one) => one && without(one))
}

async function lookUp(
  { caller, dialect }: Understood,
  names: readonly NamedData[],
  pin: Pin | undefined,
  { findMany }: NamedDataOptions,
): Promise<Owned> {
  const owned: Owned = {
    kept: new TextMap(),
    owners: new Map(),
    unknown: [],
    dispensable: [],
    foreign: new Map(),
  }
  const known = pin?.stored ? (dialect.generate?.transcripts?.items(pin.stored.value) ?? []) : []
  const inResource = new TextMap(known.map((item) => [item.id, item]))
  const asked = known.length > 0 ? names.filter(({ id }) => !inResource.has(id)) : names
  for (const { kind, id, isReference } of known.length > 0 ? names : []) {
    const item = inResource.get(id)
    if (item && kind === 'item' && isReference) owned.kept.set(id, item)
  }
  const bindings = await findEach(caller.keyId, asked, findMany)
  /** Behind the last name that was looked up, a name is unknown or there before. One unknown name suffices. */
  let isBehindLast = false
  for (const name of asked) {
    const unknown = name.isReference ? owned.unknown : owned.dispensable
    if (isBehindLast && unknown.length > 0) continue
    const key = isDataId(name) ? dataKeyOf(name) : undefined
    if (key !== undefined && bindings.has(key)) sortFound(owned, name, key, bindings)
    else unknown.push(name)
    isBehindLast ||= key !== undefined && !bindings.has(key)
  }
  return owned
}

/**
 * The bindings of data by `dataKeyOf`, each of which is read once, however often a request names it, and the marks of
 * owners by `markKeyOf`. Data that is not looked up has no entry.
 */
async function findEach(
  keyId: string,
  names: readonly NamedData[],
  findMany: NamedDataOptions['findMany'],
): Promise<ReadonlyMap<string, Binding | undefined>> {
  const unique = new TextMap<BindingName>()
  const marks = new TextMap<BindingName>()
  for (const name of names) {
    if (!isDataId(name)) continue
    const key = dataKeyOf(name)
    unique.set(key, bindingNameOf(keyId, name))
    if (mayBeShared(name)) marks.set(markKeyOf(key), ownerMarkOf(name))
    if (unique.size === maxLookups) break
  }
  if (unique.size === 0) return new Map()
  const found = await findMany([...unique.values(), ...marks.values()]).catch((error: unknown) => {
    if (error instanceof GatewayError) throw error
    throw errorsOf({ kind: 'item', id: '', use: 'own' }).lookupFailed(error)
  })
  return new TextMap([...unique.keys(), ...marks.keys()].map((key, index) => [key, found[index]]))
}

function dataKeyOf({ kind, id }: NamedData): string {
  return `${kind} ${id}`
}

function markKeyOf(dataKey: string): string {
  return `owner of ${dataKey}`
}

function sortFound(
  owned: Owned,
  name: NamedData,
  key: string,
  bindings: ReadonlyMap<string, Binding | undefined>,
): void {
  const binding = bindings.get(key)
  if (!binding && mayBeShared(name)) {
    const mark = bindings.get(markKeyOf(key))
    if (mark) owned.foreign.set(mark.account, name)
  } else if (!binding) (name.isReference ? owned.unknown : owned.dispensable).push(name)
  else if (!name.isReference) return
  else if (binding.kept) owned.kept.set(name.id, binding.kept)
  else owned.owners.set(binding.account, binding.model)
}

/** The pin of a call after its references are known. */
function pinOf(
  exchange: Understood,
  pin: Pin | undefined,
  { kept, owners }: Owned,
  candidates: readonly Candidate[],
): Pin | undefined {
  const [[owner, model] = []] = owners
  if (kept.size > 0 || pin?.stored) {
    if (owner !== undefined) throw differentAccounts()
    return kept.size > 0 ? withItems(exchange, pin, [...kept.values()]) : pin
  }
  if (owner === undefined) return pin
  if (owners.size > 1 || (pin && pin.pinnedTo !== owner)) throw differentAccounts()
  const { unavailable } = errorsOf({ kind: 'item', id: '', use: 'own' })
  if (pin) return pin
  const isCandidate = candidates.some(({ account }) => account.id === owner)
  // A fallback made the data, and its account may have that model alone.
  const continues = isCandidate ? undefined : model
  return { pinnedTo: owner, by: 'bindings', unavailable, ...defined({ continues }) }
}

/** A pin whose resource includes the items. */
function withItems(
  { dialect, operation, call: { names = [] } }: Understood,
  pin: Pin | undefined,
  items: readonly JsonObject[],
): Pin {
  const transcripts: TranscriptStore | undefined = dialect.generate?.transcripts
  // Only a request for text can be sent with the items themselves.
  const first = names.find(({ isReference }) => isReference)
  if (!transcripts || (!pin && operation.capability?.startsWith('stored-'))) {
    throw first ? notFound(first) : differentAccounts()
  }
  const resource = pin?.stored ?? emptyResource
  const value = transcripts.withReferenced(resource.value, items)
  const { unavailable } = errorsOf({ kind: 'item', id: '', use: 'own' })
  const unpinned: Pin = { pinnedTo: undefined, by: 'bindings', unavailable }
  return { ...(pin ?? unpinned), stored: { ...resource, value } }
}

/** The resource of a call that references items only: it is never changed. */
const emptyResource: StoredResource = {
  value: {},
  update: () => Promise.resolve(undefined),
  updateLater: () => Promise.resolve(),
  delete: () => Promise.resolve(),
}

function without(missing: NamedData): Verdict {
  const { message: reason } = notFound(missing)
  return { excluded: { by: 'bindings', reason, field: missing.field } }
}

function notFound({ kind, id, field, within }: NamedData): GatewayError {
  const shown = `\`${field}\`: ${errorsOf({ kind, id, use: 'own' }).notFound().message}`
  if (!within) return new GatewayError('invalid_value', shown, { param: field })
  const { place, number, param } = within
  const details = { line: number, field }
  return new GatewayError('invalid_value', `${place}: ${shown}`, { param, details })
}

/** The names of the bindings of a stored reply's items. */
export function itemNames(keyId: string, items: readonly JsonObject[]): BindingName[] {
  return items.flatMap(({ id }) =>
    typeof id === 'string' && isDataId({ id }) ? [nameOfData(keyId, { kind: 'item', id })] : [],
  )
}

/** The name of the binding of data that a reply discloses. */
export function nameOfData(keyId: string, data: StoredData): BindingName {
  return bindingNameOf(keyId, data)
}
