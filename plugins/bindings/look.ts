import { GatewayError } from '../../src/errors.ts'
import type { Call, Reference, Understood } from '../../src/exchange.ts'
import type { Pin } from '../../src/plugin.ts'
import type { Binding, BindingName, Bindings } from '../../src/stores/bindings.ts'
import { errorsOf } from './errors.ts'
import type { Keeper } from './kept.ts'
import { nameOf } from './name.ts'
import type { WriteAgain } from './write-again.ts'

/** Who decides where a call goes, as it is told where routing is explained. */
export const by = 'bindings'

export interface Lookup {
  /** Where a call has to go because of what it refers to. Throws where it can go nowhere. */
  pinOf(exchange: Understood): Promise<Pin | undefined>
  /** What a call that asks for something by its id was found to ask for. */
  seenBy(call: Call): Binding | undefined
}

export interface LookupParts {
  readonly stored: Bindings
  readonly again: WriteAgain
  readonly keeper: Keeper
  readonly now: () => number
}

/** Finds what calls refer to. */
export function createLookup({ stored, again, keeper, now }: LookupParts): Lookup {
  const seen = new WeakMap<Call, Binding>()

  async function look({ call, caller, model }: Understood, reference: Reference): Promise<Pin> {
    const errors = errorsOf(reference)
    const name = nameOf(caller.keyId, reference)
    const binding = again.find(name) ?? (await read(name, errors.cannotTell))
    if (
      !binding ||
      binding.expiresAt <= now() ||
      (reference.use === 'chain' && !continues(binding, model.name))
    ) {
      throw errors.notFound()
    }
    if (reference.use === 'own') seen.set(call, binding)
    const kept = binding.kept && keeper.keptAs(name, binding.kept)
    const pinnedTo = binding.account || undefined
    return { pinnedTo, by, unavailable: errors.unavailable, ...(kept && { kept }) }
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
    async pinOf(exchange) {
      const pins = await Promise.all(exchange.call.refersTo.map((one) => look(exchange, one)))
      return onePin(pins)
    },
    seenBy: (call) => seen.get(call),
  }
}

/** All that a call refers to must live on one account, and what the gateway keeps stands alone. */
function onePin(pins: readonly Pin[]): Pin | undefined {
  const [first] = pins
  if (pins.length > 1 && pins.some(({ kept }) => kept)) {
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
