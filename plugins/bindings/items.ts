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

/** So many are looked up for one call; the rest is as good as unknown. */
const mostLookedUp = 1_000

const kind = 'item'

/** Where the items are that a kept reply is made of. */
export function itemNames(keyId: string, items: readonly JsonObject[]): BindingName[] {
  return items.flatMap(({ id }) =>
    typeof id === 'string' ? [bindingNameOf(keyId, { kind, id })] : [],
  )
}

export type FindItem = (name: BindingName) => Promise<Binding | undefined>

/**
 * What a call's input names, put with what it goes on from. What an account keeps, only that account
 * knows: a call that names such items goes where they may be known.
 */
export async function withItemReferences(
  exchange: Understood,
  candidates: readonly Candidate[],
  pin: Pin | undefined,
  find: FindItem,
): Promise<Pin | readonly (Verdict | undefined)[] | undefined> {
  const { call, dialect } = exchange
  const { itemReferences = [] } = call
  const keeping = dialect.generate?.transcripts
  if (itemReferences.length === 0 || !keeping || (pin && !pin.stored)) return pin
  const before = pin?.stored ? keeping.items(pin.stored.value) : []
  const found = await lookUp(exchange, candidates, before, find)
  if (!found) return undefined
  const missing = itemReferences.find(({ id }) => !found.has(id))
  if (missing && !pin && itemReferences.every(({ id }) => !found.has(id))) {
    return candidates.map(({ native }) => (native ? undefined : withoutItem(missing)))
  }
  if (missing) throw notFound(missing)
  return pinned(pin, keeping, [...found.values()])
}

/** `undefined` where nobody can tell, and nobody but the accounts has to know. */
async function lookUp(
  { call: { itemReferences = [] }, caller }: Understood,
  candidates: readonly Candidate[],
  before: readonly JsonObject[],
  find: FindItem,
): Promise<Map<string, JsonObject> | undefined> {
  const found = new Map<string, JsonObject>()
  for (const item of before) if (typeof item.id === 'string') found.set(item.id, item)
  const unknown = new Set(itemReferences.map(({ id }) => id).filter((id) => !found.has(id)))
  const names = [...unknown].slice(0, mostLookedUp)
  try {
    await Promise.all(
      names.map(async (id) => {
        const binding = await find(bindingNameOf(caller.keyId, { kind, id }))
        if (binding?.kept) found.set(id, binding.kept)
      }),
    )
  } catch (error) {
    if (before.length === 0 && candidates.every(({ native }) => native)) return undefined
    throw errorsOf({ kind, id: '', use: 'own' }).cannotTell(error)
  }
  return new Map(itemReferences.flatMap(({ id }) => entryOf(found, id)))
}

function entryOf(found: ReadonlyMap<string, JsonObject>, id: string): [string, JsonObject][] {
  const item = found.get(id)
  return item ? [[id, item]] : []
}

function pinned(pin: Pin | undefined, keeping: TranscriptStore, items: readonly JsonObject[]): Pin {
  const kept = pin?.stored ?? nothing
  const value = keeping.withReferenced(kept.value, items)
  const unavailable = errorsOf({ kind, id: '', use: 'own' }).unavailable
  const free: Pin = { pinnedTo: undefined, by: 'bindings', unavailable }
  return { ...(pin ?? free), stored: { ...kept, value } }
}

/** Items alone are looked up, and no more. */
const nothing: StoredResource = {
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
