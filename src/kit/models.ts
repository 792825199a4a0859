import { GatewayError } from '../contract/errors.ts'
import type { Call, ResolvedModel } from '../contract/call.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { RefusedKey } from '../contract/request.ts'
import { isModelName } from './account-path.ts'
import { cannotTell } from './cannot-tell.ts'

/** In characters. Longer names are rejected before they reach logs and caches. */
const longestName = 512

/**
 * Resolves the model of a call. Throws the same `model_not_found` for a model that does not exist and
 * for one that the caller may not use, so that callers cannot probe for models.
 */
export function resolveModel(exchange: Authenticated, call: Call): ResolvedModel {
  const model = modelOf(exchange, call)
  if (call.otherModels) checkOthers(exchange, call.otherModels)
  return model
}

function modelOf(exchange: Authenticated, call: Call): ResolvedModel {
  const { snapshot, caller } = exchange
  if (call.model === '') return noModel
  if (call.model.length > longestName) throw unknownModel(call.model)
  if (!call.model.isWellFormed()) throw notWellFormed()
  // The name may become a part of a path, whether it comes from a path or from a body.
  if (!isModelName(call.model)) throw unknownModel(call.model)
  const names = [call.model, ...(call.alternatives ?? [])]
  let isOutOfScope = false
  for (const name of names) {
    const model = snapshot.resolve(name)
    if (model && (caller.mayUse(model.requested) || caller.mayUse(model.name))) return model
    if (model) isOutOfScope = true
  }
  // A stored resource whose account has left fails with the error of its owner, not of its model.
  if (call.refersTo.length > 0 || call.pin) {
    const name = snapshot.platformName(call.model)
    if (caller.mayUse(call.model) || caller.mayUse(name)) return { requested: call.model, name }
  }
  throw missingModel(exchange, names, isOutOfScope)
}

/**
 * Checks the models that a request names beside the call's model. Accounts get these names as they are, so that an
 * alias stands for no other model there: a key with a scope needs the name itself, and no alias.
 */
function checkOthers(
  { snapshot, caller }: Authenticated,
  others: NonNullable<Call['otherModels']>,
): void {
  for (const { name, field } of others) {
    const isAlias = caller.models !== undefined && snapshot.aliases.has(name)
    if (caller.mayUse(name) && !isAlias) continue
    const isKnown = snapshot.resolve(name) !== undefined
    throw unknownModel(name, isKnown ? outOfScope(caller.keyId) : undefined, field)
  }
}

/** Half of a surrogate pair has no form in UTF-8, and so none in the path of an account. */
function notWellFormed(): GatewayError {
  const message = 'The model has a character that is no valid Unicode: half of a surrogate pair.'
  return new GatewayError('invalid_value', message, { param: 'model' })
}

/** The model of a call that names none. */
const noModel: ResolvedModel = { requested: '', name: '' }

/**
 * The error for a model that no enabled account is known to have, by its names. While the store does not answer,
 * any name may be an alias of a model that the caller may use. A name that the caller may not use gets the same
 * error whether or not the model exists, of which `isOutOfScope` informs operators.
 */
export function missingModel(
  { snapshot, caller }: Pick<Authenticated, 'snapshot' | 'caller'>,
  names: readonly string[],
  isOutOfScope = false,
): GatewayError {
  if (!snapshot.isComplete()) return cannotTell('the model exists')
  return unknownModel(names[0] ?? '', isOutOfScope ? outOfScope(caller.keyId) : undefined)
}

function outOfScope(keyId: string): RefusedKey {
  return { refused: 'scope', keyId }
}

/** The error for a model that does not exist or that the caller may not use. */
function unknownModel(name: string, refusedKey?: RefusedKey, param = 'model'): GatewayError {
  const shown = name.length > 200 ? `${name.slice(0, 200)}...` : name
  return new GatewayError(
    'model_not_found',
    `The model \`${shown}\` does not exist or this key may not use it; \`GET /v1/models\` lists those it may use.`,
    { param, refusedKey },
  )
}
