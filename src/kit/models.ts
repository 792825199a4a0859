import { GatewayError } from '../contract/errors.ts'
import type { Call, ResolvedModel } from '../contract/call.ts'
import type { Authenticated } from '../contract/exchange.ts'

/** Longer names are no models; they would only fill logs and memories. Characters. */
const longestName = 512

/**
 * The platform model that a call means. A model that the caller may not use looks exactly like one
 * that does not exist.
 */
export function resolveModel({ snapshot, caller }: Authenticated, call: Call): ResolvedModel {
  if (call.model === '') return noModel
  if (call.model.length > longestName) throw unknownModel(call.model)
  for (const name of [call.model, ...(call.alternatives ?? [])]) {
    const model = snapshot.resolve(name)
    if (model && (caller.mayUse(model.requested) || caller.mayUse(model.name))) return model
  }
  // Work that belongs to an account that has left is missed by its owner, not by its model's name.
  if (call.refersTo.length > 0 || call.pin) {
    const name = snapshot.platformName(call.model)
    if (caller.mayUse(call.model) || caller.mayUse(name)) return { requested: call.model, name }
  }
  throw unknownModel(call.model)
}

/** Of a call that names none. */
const noModel: ResolvedModel = { requested: '', name: '' }

export function unknownModel(name: string): GatewayError {
  const shown = name.length > 200 ? `${name.slice(0, 200)}...` : name
  return new GatewayError(
    'model_not_found',
    `The model \`${shown}\` does not exist or this key may not use it; \`GET /v1/models\` lists those it may use.`,
    { param: 'model' },
  )
}
