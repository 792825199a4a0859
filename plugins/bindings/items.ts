import type { Candidate } from '../../src/contract/candidate.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { ItemReference, Pin } from '../../src/contract/call.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { TranscriptStore, StoredResource } from '../../src/contract/stored.ts'
import type { Verdict } from '../../src/contract/plugin.ts'
import type { Binding, BindingName } from '../../src/stores/bindings.ts'
import { errorsOf } from './errors.ts'
import { bindingNameOf } from './binding-name.ts'

/** Look-ups per call; further items count as unknown. */
const maxLookups = 1_000

const kind = 'item'

/** The names of the bindings of a stored reply's items. */
export function itemNames(keyId: string, items: readonly JsonObject[]): BindingName[] {
  return items.flatMap(({ id }) =>
    typeof id === 'string' ? [bindingNameOf(keyId, { kind, id })] : [],
  )
}

/** Finds the binding of an item; rejects if the store is unavailable. */
type FindItem = (name: BindingName) => Promise<Binding | undefined>

/**
 * Adds the items that a call references to the resource that it continues, and returns the resulting
 * pin. If the gateway has none of the items, an account may have them: the result is then verdicts that
 * exclude translated candidates. Throws if an item does not exist.
 */
export async function withItemReferences(
  exchange: Understood,
  candidates: readonly Candidate[],
  pin: Pin | undefined,
  find: FindItem,
): Promise<Pin | readonly (Verdict | undefined)[] | undefined> {
  const { call, dialect } = exchange
  const { itemReferences = [] } = call
  const transcripts = dialect.generate?.transcripts
  if (itemReferences.length === 0 || !transcripts || (pin && !pin.stored)) return pin
  const known = pin?.stored ? transcripts.items(pin.stored.value) : []
  const found = await lookUp(exchange, candidates, known, find)
  if (!found) return undefined
  const missing = itemReferences.find(({ id }) => !found.has(id))
  if (missing && !pin && itemReferences.every(({ id }) => !found.has(id))) {
    return candidates.map(({ native }) => (native ? undefined : withoutItem(missing)))
  }
  if (missing) throw notFound(missing)
  return withItems(pin, transcripts, [...found.values()])
}

/** Resolves with `undefined` if the store is unavailable and every candidate may know the items itself. */
async function lookUp(
  { call: { itemReferences = [] }, caller }: Understood,
  candidates: readonly Candidate[],
  known: readonly JsonObject[],
  find: FindItem,
): Promise<Map<string, JsonObject> | undefined> {
  const found = new Map<string, JsonObject>()
  for (const item of known) if (typeof item.id === 'string') found.set(item.id, item)
  const unknown = new Set(itemReferences.map(({ id }) => id).filter((id) => !found.has(id)))
  const names = [...unknown].slice(0, maxLookups)
  try {
    await Promise.all(
      names.map(async (id) => {
        const binding = await find(bindingNameOf(caller.keyId, { kind, id }))
        if (binding?.kept) found.set(id, binding.kept)
      }),
    )
  } catch (error) {
    if (known.length === 0 && candidates.every(({ native }) => native)) return undefined
    throw errorsOf({ kind, id: '', use: 'own' }).lookupFailed(error)
  }
  return new Map(itemReferences.flatMap(({ id }) => entryOf(found, id)))
}

function entryOf(found: ReadonlyMap<string, JsonObject>, id: string): [string, JsonObject][] {
  const item = found.get(id)
  return item ? [[id, item]] : []
}

/** A pin whose resource includes the items. */
function withItems(
  pin: Pin | undefined,
  transcripts: TranscriptStore,
  items: readonly JsonObject[],
): Pin {
  const resource = pin?.stored ?? emptyResource
  const value = transcripts.withReferenced(resource.value, items)
  const unavailable = errorsOf({ kind, id: '', use: 'own' }).unavailable
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

function withoutItem(missing: ItemReference): Verdict {
  const { message: reason } = notFound(missing)
  return { excluded: { by: 'bindings', reason, field: missing.field } }
}

function notFound({ id, field }: ItemReference): GatewayError {
  const shown = errorsOf({ kind, id, use: 'own' }).notFound().message
  return new GatewayError('invalid_value', `\`${field}\`: ${shown}`, { param: field })
}
