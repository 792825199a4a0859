import { nextTurn } from '../lib/turns.ts'
import { hasClients } from '../contract/dialect.ts'
import type { AuditTarget } from '../audit/log.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import {
  type Binding,
  type BindingName,
  anyKind,
  bindingsNamespace,
  createBindings,
  isMarkKind,
  knownKinds,
} from '../stores/bindings.ts'
import { UnreadableRecord } from '../stores/store.ts'
import { isUnavailable } from './store-errors.ts'

/** The result of a look-up. `CANNOT_TELL`: the store does not answer, or the record is damaged. */
export const lookupStates = ['FOUND', 'MISSING', 'CANNOT_TELL'] as const

/** The result of a look-up. */
type LookupState = (typeof lookupStates)[number]

/** The result of a look-up of a binding. */
export interface BindingLookup {
  readonly state: LookupState
  /** Why the state is `CANNOT_TELL`, or `MISSING` because there is no such key, or none has it. */
  readonly reason?: string
  /** There is a record, which cannot be read. */
  readonly isDamaged?: boolean
  readonly name: BindingName
  readonly binding?: Binding
}

/**
 * Looks a binding up as a call of its key does. Without a kind, or with `anyKind`, each known one is tried.
 * Never rejects for a store that fails.
 */
export async function findBinding(
  { shared }: Pick<RunningGateway, 'shared'>,
  { keyId, id, kind }: { keyId: string; id: string; kind: string | undefined },
): Promise<BindingLookup> {
  const kinds = kind === undefined || kind === anyKind ? knownKinds : [kind]
  const lookups = await Promise.all(kinds.map((one) => lookUp(shared, { kind: one, keyId, id })))
  const of = (state: BindingLookup['state']) => lookups.find((one) => one.state === state)
  const damaged = lookups.find(({ isDamaged }) => isDamaged)
  return of('FOUND') ?? damaged ?? of('CANNOT_TELL') ?? lookups[0]!
}

/** The names that a search without a key looks up, and how many of them at a time. */
const mostNames = 50_000
const namesPerRead = 500

/** The keys that own a resource of an id. */
interface Owners {
  /** In the order of the keys: the keys of the configuration come first. */
  readonly keyIds: readonly string[]
  /** Where there is none: whether there is no other either, and why it may not be known. */
  readonly state: 'MISSING' | 'CANNOT_TELL'
  readonly reason: string
}

/**
 * Looks a resource up under each API key, whether or not the key is valid. A damaged record is not found. Rejects with
 * `StoreUnavailable`, and with the reason of the signal.
 */
export async function ownersOf(
  { keys, store }: Pick<RunningGateway, 'keys' | 'store'>,
  { id, kind }: { id: string; kind: string | undefined },
  signal: AbortSignal,
): Promise<Owners> {
  await keys.catchUp()
  const all = [...keys.all()].map((key) => key.id)
  const kinds = (kind === undefined || kind === anyKind ? knownKinds : [kind]).filter(
    (one) => !isMarkKind(one),
  )
  if (all.length * kinds.length > mostNames) {
    const reason = `There are ${all.length} keys, too many to look under each: name the key.`
    return { keyIds: [], state: 'CANNOT_TELL', reason }
  }
  const names = all.flatMap((keyId) => kinds.map((one) => ({ kind: one, keyId, id })))
  const bindings = createBindings(store.records<Binding>(bindingsNamespace, { isPlain: true }))
  const keyIds = new Set<string>()
  for (let next = 0; next < names.length; next += namesPerRead) {
    const part = names.slice(next, next + namesPerRead)
    const found = await bindings.findMany(part)
    for (const [index, { keyId }] of part.entries()) if (found[index]) keyIds.add(keyId)
    await nextTurn()
    signal.throwIfAborted()
  }
  const reason = `None of the ${all.length} API keys has it. Callers that a plugin identifies are looked up by their id.`
  return keys.isStale
    ? { keyIds: [...keyIds], state: 'CANNOT_TELL', reason: 'The store does not answer.' }
    : { keyIds: [...keyIds], state: 'MISSING', reason }
}

async function lookUp(
  { bindings }: RunningGateway['shared'],
  name: BindingName,
): Promise<BindingLookup> {
  if (isMarkKind(name.kind)) return { state: 'MISSING', name }
  if (!bindings) return { state: 'CANNOT_TELL', reason: 'The gateway has no bindings.', name }
  try {
    const binding = await bindings.find(name)
    return binding ? { state: 'FOUND', name, binding } : { state: 'MISSING', name }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const isDamaged = error instanceof UnreadableRecord
    const reason = isDamaged ? 'The record is damaged.' : 'The store does not answer.'
    return { state: 'CANNOT_TELL', reason, isDamaged, name }
  }
}

/** The items in the content of a resource, which have bindings of their own. */
export function itemsOf(
  plugins: readonly GatewayPlugin[],
  kind: string,
): (content: JsonObject) => readonly JsonObject[] {
  const texts = plugins.flatMap(({ dialects = [] }) =>
    dialects
      .filter(hasClients)
      .flatMap(({ generate }) => (generate?.transcripts ? [generate] : [])),
  )
  const own = texts.find(({ produces }) => produces === kind) ?? texts[0]
  return (content) => own?.transcripts?.producedItems(content) ?? []
}

/** Says that a key has no such binding. */
export function noBinding({ keyId, id }: Pick<BindingName, 'keyId' | 'id'>): string {
  return `The key "${keyId}" has no binding "${id}".`
}

/** The target of an act on a binding, in the audit log. */
export function auditTargetOf({ kind, keyId, id }: BindingName): AuditTarget {
  return { type: 'binding', id: `${keyId} ${kind} ${id}` }
}
