import type { Candidate } from '../../src/accounts/account.ts'
import type { JsonObject } from '../../src/codec.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Call, Produced, Reference, Understood } from '../../src/exchange.ts'
import type { Kept } from '../../src/kept.ts'
import type { Log } from '../../src/log.ts'
import { definePlugin, type GatewayPlugin, type OutcomeInput, type Pin } from '../../src/plugin.ts'
import {
  type Binding,
  type BindingName,
  type Bindings,
  chainMs,
  ownedMs,
} from '../../src/stores/bindings.ts'
import { errorsOf } from './errors.ts'
import { writeAgain } from './write-again.ts'

export interface BindingOptions {
  readonly bindings: Bindings
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What `/readyz?verbose` tells of the bindings. */
export interface BindingState {
  /** Writes that failed and are tried again. */
  readonly waiting: number
  /** Writes that failed for good. */
  readonly lost: number
}

const by = 'bindings'

/**
 * Remembers which account made a response or a conversation, and sends every call that refers to it
 * there: to that account or to none (spec, "Chaining with previous_response_id").
 */
export function bindings(
  options: BindingOptions,
): GatewayPlugin & { readonly state: BindingState } {
  const { bindings: stored, log, now = Date.now } = options
  const again = writeAgain(stored, ({ kind, id }) =>
    log.error('a binding is lost: calls that refer to it will not find it', { kind, id }),
  )

  /** What a call that asks for something by its id was found to ask for. */
  const looked = new WeakMap<Call, Binding>()

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
    if (reference.use === 'own') looked.set(call, binding)
    const kept = binding.kept && keptAs(name, binding.kept)
    const pinnedTo = binding.account || undefined
    return { pinnedTo, by, unavailable: errors.unavailable, ...(kept && { kept }) }
  }

  function keptAs(name: BindingName, value: JsonObject): Kept {
    return {
      value,
      async change(next) {
        const waiting = again.find(name)
        if (!waiting?.kept) return stored.changeKept(name, next)
        const kept = next(waiting.kept)
        again.add(name, { ...waiting, kept })
        return kept
      },
      forget: () => forget(name),
    }
  }

  async function forget(name: BindingName): Promise<void> {
    again.forget(name)
    await stored.forget(name)
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

  async function remember(
    exchange: Understood,
    candidate: Candidate | undefined,
    produced: Produced,
  ): Promise<void> {
    const name = nameOf(exchange.caller.keyId, produced)
    const time = now()
    const chainUntil = time + chainMs
    if (isAbout(exchange, produced)) {
      // Somebody looked at it: that alone changes nothing, unless it has just been completed.
      if (produced.binds === 'chain') await beginChain(exchange, name, chainUntil)
      return
    }
    const binding: Binding = {
      account: candidate?.account.id ?? '',
      model: exchange.model.name,
      expiresAt: time + ownedMs,
      ...(produced.kept && { kept: produced.kept }),
      ...(produced.binds === 'chain' && { chainUntil }),
    }
    again.forget(name)
    try {
      await stored.save(name, binding)
    } catch (error) {
      writeLater(exchange, name, binding, error)
    }
  }

  /** A response of the background was seen completed, by whoever asks for it first. */
  async function beginChain(exchange: Understood, name: BindingName, until: number): Promise<void> {
    const waiting = again.find(name)
    if (waiting) return again.add(name, { chainUntil: until, ...waiting })
    try {
      await stored.beginChain(name, until)
    } catch (error) {
      const seen = looked.get(exchange.call)
      if (seen) writeLater(exchange, name, { chainUntil: until, ...seen }, error)
    }
  }

  function writeLater(
    exchange: Understood,
    name: BindingName,
    binding: Binding,
    error: unknown,
  ): void {
    again.add(name, binding)
    log.error('a binding could not be written; it is tried again', {
      kind: name.kind,
      id: name.id,
      request_id: exchange.id,
      error: String(error),
    })
  }

  async function onOutcome({ exchange, candidate, outcome }: OutcomeInput): Promise<void> {
    const { produced, deleted } = outcome
    if (produced?.binds) await remember(exchange, candidate, produced)
    if (deleted) await forget(nameOf(exchange.caller.keyId, deleted))
  }

  const plugin = definePlugin({
    name: by,
    critical: true,
    onCandidates: ({ exchange }) =>
      exchange.call.refersTo.length === 0 ? undefined : pinOf(exchange, look),
    onProduced: ({ exchange, candidate, produced }) => remember(exchange, candidate, produced),
    // Most outcomes name nothing that has to be remembered, and have nothing to wait for.
    onOutcome: (input) =>
      input.outcome.produced?.binds || input.outcome.deleted ? onOutcome(input) : undefined,
    onDispose: () => again.close(),
  })
  return { ...plugin, state: again }
}

/** All that a call refers to must live on one account. */
async function pinOf(
  exchange: Understood,
  look: (exchange: Understood, reference: Reference) => Promise<Pin>,
): Promise<Pin | undefined> {
  const pins = await Promise.all(exchange.call.refersTo.map((one) => look(exchange, one)))
  const [first] = pins
  if (pins.some(({ pinnedTo }) => pinnedTo !== first?.pinnedTo)) {
    throw new GatewayError(
      'invalid_value',
      'The request refers to resources that belong to different accounts.',
    )
  }
  return first
}

function nameOf(keyId: string, { kind, id }: { kind: string; id: string }): BindingName {
  return { kind, keyId, id }
}

/** Whether the exchange asked for this very resource, and has not made it. */
function isAbout({ call }: Understood, { kind, id }: Produced): boolean {
  return call.refersTo.some((one) => one.use === 'own' && one.kind === kind && one.id === id)
}
