import type { Candidate } from '../../src/contract/candidate.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Call, Pin, Reference } from '../../src/contract/call.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { Binding, BindingName, Bindings } from '../../src/stores/bindings.ts'
import { errorsOf, otherModel } from './errors.ts'
import { itemNames, withItemReferences } from './items.ts'
import type { ResourceStore } from './resource-store.ts'
import { bindingNameOf } from './binding-name.ts'
import type { RetryWrites } from './retry-writes.ts'

/** Who decides where a call goes, as it is told where routing is explained. */
export const by = 'bindings'

export interface BindingLookup {
  /** Where a call can go because of what it refers to. Throws where it can go nowhere. */
  verdictOf(
    exchange: Understood,
    candidates: readonly Candidate[],
  ): ReturnType<typeof withItemReferences>
  /** What a call that asks for something by its id was found to ask for. */
  seenBy(call: Call): Binding | undefined
}

export interface BindingLookupParts {
  readonly stored: Bindings
  readonly again: RetryWrites
  readonly keeper: ResourceStore
  readonly now: () => number
}

/** Finds what calls refer to. */
export function createBindingLookup({
  stored,
  again,
  keeper,
  now,
}: BindingLookupParts): BindingLookup {
  const seen = new WeakMap<Call, Binding>()

  async function look(exchange: Understood, reference: Reference): Promise<Pin> {
    const { call, caller, model } = exchange
    const errors = errorsOf(reference)
    const name = bindingNameOf(caller.keyId, reference)
    const binding = again.find(name) ?? (await read(name, errors.cannotTell))
    if (
      !binding ||
      binding.expiresAt <= now() ||
      (reference.use === 'chain' && !continues(binding, model.name))
    ) {
      throw errors.notFound()
    }
    if (reference.use === 'own') {
      seen.set(call, binding)
      if (!canServe(binding, exchange)) throw otherModel(reference, binding, model)
    }
    const kept =
      binding.kept && keeper.resourceOf(name, binding.kept, itemsOf(exchange, binding.kept))
    const pinnedTo = binding.account || undefined
    return { pinnedTo, by, unavailable: errors.unavailable, ...(kept && { stored: kept }) }
  }

  async function findItem(name: BindingName): Promise<Binding | undefined> {
    const binding = again.find(name) ?? (await stored.find(name))
    return binding && binding.expiresAt > now() ? binding : undefined
  }

  async function read(name: BindingName, cannotTell: (cause: unknown) => GatewayError) {
    try {
      return await stored.find(name)
    } catch (error) {
      throw cannotTell(error)
    }
  }

  function continues({ model, chainUntil = 0 }: Binding, wanted: string): boolean {
    return model === wanted && chainUntil > now()
  }

  return {
    async verdictOf(exchange, candidates) {
      const pins = await Promise.all(exchange.call.refersTo.map((one) => look(exchange, one)))
      return withItemReferences(exchange, candidates, onePin(pins), findItem)
    },
    seenBy: (call) => seen.get(call),
  }
}

/** What goes with it when it is deleted. */
function itemsOf({ caller, dialect }: Understood, kept: JsonObject): BindingName[] {
  return itemNames(caller.keyId, dialect.generate?.transcripts?.producedItems(kept) ?? [])
}

/** Whether the account that has it has the model, or cannot be asked whether it had. */
function canServe({ account: id, kept }: Binding, { model, snapshot }: Understood): boolean {
  if (kept || model.name === '') return true
  const account = snapshot.accounts.find((one) => one.id === id)
  return !account || account.models.upstreamName(model.name) !== undefined
}

/** All that a call refers to must live on one account, and what the gateway keeps stands alone. */
function onePin(pins: readonly Pin[]): Pin | undefined {
  const [first] = pins
  if (pins.length > 1 && pins.some(({ stored: kept }) => kept)) {
    throw new GatewayError(
      'invalid_value',
      'Mutually exclusive parameters: give `previous_response_id` or `conversation`, not both.',
      { param: 'conversation' },
    )
  }
  if (pins.some(({ pinnedTo }) => pinnedTo !== first?.pinnedTo)) {
    throw new GatewayError(
      'invalid_value',
      'The request refers to resources that belong to different accounts.',
    )
  }
  return first
}
