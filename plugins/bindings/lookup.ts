import type { Candidate } from '../../src/contract/candidate.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Call, Pin, Reference } from '../../src/contract/call.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { ExchangeTrace, StoreRead } from '../../src/contract/trace.ts'
import type { Binding, BindingName, Bindings } from '../../src/stores/bindings.ts'
import type { ReadOptions } from '../../src/stores/store.ts'
import { differentAccounts, errorsOf, modelMismatch } from './errors.ts'
import { itemNames, ownNamedData } from './named-data.ts'
import type { Relocations } from './relocation.ts'
import type { ResourceStore } from './resource-store.ts'
import { bindingNameOf, canBind } from './binding-name.ts'
import type { RetryWrites } from './retry-writes.ts'
import { leaseOf } from '../../src/exchange/record.ts'
import { fallbackNamed } from '../../src/kit/fallbacks.ts'

/** The plugin's name, as in explanations of routing. */
export const pluginName = 'bindings'

/** Finds the bindings that calls refer to. */
export interface BindingLookup {
  /** The pin or the verdicts that follow from a call's references. Rejects if no account can serve it. */
  verdictOf(exchange: Understood, candidates: readonly Candidate[]): ReturnType<typeof ownNamedData>
  /** The binding of the resource that a call requests by its id, after `verdictOf`. */
  bindingOf(call: Call): Binding | undefined
  /** The binding, also one that waits for the store. `undefined` for an unknown or expired one. */
  find(name: BindingName): Promise<Binding | undefined>
  /** The bindings in the order of `names`, those that wait for the store included. */
  findMany(names: readonly BindingName[]): Promise<(Binding | undefined)[]>
}

/** The parts that `createBindingLookup` combines. */
interface BindingLookupParts {
  readonly stored: Bindings
  readonly retries: RetryWrites
  readonly resources: ResourceStore
  readonly relocations: Relocations
  readonly now: () => number
}

/** Creates the look-up of bindings in the store and in the queue of failed writes. */
export function createBindingLookup({
  stored,
  retries,
  resources,
  relocations,
  now,
}: BindingLookupParts): BindingLookup {
  const ownBindings = new WeakMap<Call, Binding>()

  async function resolvePin(
    exchange: Understood,
    reference: Reference,
    candidates: readonly Candidate[],
  ): Promise<Pin> {
    const { call, caller, model } = exchange
    const errors = errorsOf(reference)
    if (!canBind(reference)) throw errors.notFound()
    const name = bindingNameOf(caller.keyId, reference)
    const { trace } = exchange.progress
    const binding = await find(name, trace, readFor(exchange)).catch((cause: unknown) => {
      if (cause instanceof GatewayError) throw cause
      throw errors.lookupFailed(cause)
    })
    if (!binding) throw errors.notFound()
    // A response of a fallback continues with its model, which the client never named.
    const isOfModel =
      binding.model === model.name || fallbackNamed(exchange, binding.model) !== undefined
    if (reference.use === 'chain' && !(isOfModel && isOpen(binding))) {
      throw errors.notFound(binding.chainUntil === undefined && isOfModel)
    }
    const reason = reference.use === 'chain' ? 'continues' : 'refers_to'
    trace?.linkTo(binding.trace, reason)
    if (reference.use === 'own') {
      ownBindings.set(call, binding)
      const isServed = canServe(binding, exchange)
      if (!isServed && binding.seed && candidates.some(({ native }) => native)) {
        const relocation = relocations.relocationOf(name, binding.seed, errors.lookupFailed)
        const { unavailable } = errors
        return { pinnedTo: undefined, by: pluginName, relocation, unavailable }
      }
      if (!isServed) throw modelMismatch(reference, binding, model)
      if (binding.seed && isUse(exchange)) await relocations.stay(name, binding)
    }
    const resource =
      binding.kept && resources.resourceOf(name, binding.kept, itemsOf(exchange, binding.kept))
    const pinnedTo = binding.account || undefined
    return {
      pinnedTo,
      by: pluginName,
      unavailable: errors.unavailable,
      ...(resource && { stored: resource }),
      ...(reference.use === 'chain' && { continues: binding.model }),
      ...(binding.upstreamId !== undefined && {
        renamed: { id: reference.id, upstreamId: binding.upstreamId },
      }),
    }
  }

  async function findMany(
    names: readonly BindingName[],
    trace?: ExchangeTrace,
    options?: ReadOptions,
  ): Promise<(Binding | undefined)[]> {
    const waiting = names.map((name) => retries.find(name))
    const rest = names.filter((_, index) => !waiting[index])
    const found = rest.length > 0 ? await traced('MGET', stored.findMany(rest, options), trace) : []
    let next = 0
    return waiting
      .map((binding) => binding ?? found[next++])
      .map((binding) => (binding && binding.expiresAt > now() ? binding : undefined))
  }

  async function find(
    name: BindingName,
    trace?: ExchangeTrace,
    options?: ReadOptions,
  ): Promise<Binding | undefined> {
    const waiting = retries.find(name)
    const binding = waiting ?? (await traced('GET', stored.find(name, options), trace))
    return binding && binding.expiresAt > now() ? binding : undefined
  }

  function isOpen({ chainUntil = 0 }: Binding): boolean {
    return chainUntil > now()
  }

  return {
    async verdictOf(exchange, candidates) {
      const pins = await Promise.all(
        exchange.call.refersTo.map((one) => resolvePin(exchange, one, candidates)),
      )
      const pin = withFiles(combinePins(pins), exchange.call.pin)
      return ownNamedData(exchange, candidates, pin, {
        findMany: (names) => findMany(names, exchange.progress.trace, readItemsFor(exchange)),
      })
    },
    bindingOf: (call) => ownBindings.get(call),
    find: (name) => find(name),
    findMany: (names) => findMany(names),
  }
}

/** Notes a look-up in the trace of the call that makes it. */
function traced<T>(
  name: StoreRead,
  read: Promise<T>,
  trace: ExchangeTrace | undefined,
): Promise<T> {
  trace?.readsStore(name, read)
  return read
}

/** The bindings of a resource's items, which are deleted with it. */
function itemsOf({ caller, dialect }: Understood, resource: JsonObject): BindingName[] {
  return itemNames(caller.keyId, dialect.generate?.transcripts?.producedItems(resource) ?? [])
}

/** Whether a call adds to the resource or changes it, so that it cannot move any more. */
function isUse({ model, operation, isDryRun }: Understood): boolean {
  return !isDryRun && (model.name !== '' || operation.method === 'POST')
}

/** Whether the account of the resource serves the model, or is not configured any more. */
function canServe({ account: id, kept }: Binding, { model, snapshot }: Understood): boolean {
  if (kept || model.name === '') return true
  const account = snapshot.accounts.find((one) => one.id === id)
  return !account || account.models.upstreamName(model.name) !== undefined
}

/**
 * Combines the pins of all references: they must name the same account, and a resource in the gateway's
 * own store cannot be combined with another. Throws `GatewayError`.
 */
function combinePins(pins: readonly Pin[]): Pin | undefined {
  const [first] = pins
  if (pins.length > 1 && pins.some(({ stored }) => stored)) {
    throw new GatewayError(
      'invalid_value',
      'Mutually exclusive parameters: give `previous_response_id` or `conversation`, not both.',
      { param: 'conversation' },
    )
  }
  if (pins.some(({ pinnedTo }) => pinnedTo !== first?.pinnedTo)) {
    throw differentAccounts()
  }
  return first
}

/** The pin of the references with the one of the files that the call names. Throws `GatewayError`. */
function withFiles(pin: Pin | undefined, ofFiles: Pin | undefined): Pin | undefined {
  if (!pin || !ofFiles) return pin ?? ofFiles
  // The gateway has the resource, and each account can get it.
  if (pin.pinnedTo === undefined && !pin.relocation) {
    const { pinnedTo, unavailable } = ofFiles
    return { ...pin, pinnedTo, unavailable }
  }
  if (pin.pinnedTo !== ofFiles.pinnedTo) throw differentAccounts()
  return pin
}

/** The most memory of the items that one call references, in bytes: enough for 60 MiB of ASCII. */
const mostItemBytes = 192 * 1024 * 1024

/** How records are read for a call: large records count in the memory of its exchange until the end. */
function readFor(exchange: Understood): ReadOptions {
  const { keyId } = exchange.caller
  return {
    owner: keyId,
    admit(bytes) {
      const lease = leaseOf(exchange)
      return lease.hold('stored', lease.held('stored') + bytes)
    },
  }
}

/** The same for items that a call references, whose number is up to the client. */
function readItemsFor(exchange: Understood): ReadOptions {
  const { admit, owner } = readFor(exchange)
  let read = 0
  return {
    owner,
    admit(bytes) {
      read += bytes
      if (read > mostItemBytes) throw itemsTooLarge()
      return admit?.(bytes)
    },
  }
}

function itemsTooLarge(): GatewayError {
  const message = 'The items that the request references are too large together.'
  return new GatewayError('request_too_large', message)
}
