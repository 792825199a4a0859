import { Declined } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import { unfitModelRule, unfitText } from './account-path.ts'

/**
 * Returns the error to throw for a request to an account that could not be planned. If the account's own name of the
 * model, which the configuration says, cannot be a part of a path, the request is not at fault, and another
 * account may have another name.
 */
export function blameUnfitModel(
  thrown: unknown,
  { candidate, model }: Pick<Routed, 'candidate' | 'model'>,
): unknown {
  const { account, upstreamModel } = candidate
  // The request decides a part of a name that a wildcard matches.
  const isConfigured = account.models.names.includes(model.name)
  const unfit = unfitText(thrown)
  if (!isConfigured || unfit === undefined) return thrown
  // A dialect may write a part of the name, or a path with it.
  if (!unfit.includes(upstreamModel) && !upstreamModel.includes(unfit)) return thrown
  const reason = "The configuration's name of the model at this account cannot be a part of a path."
  return new Declined(unfitModelRule, reason)
}
