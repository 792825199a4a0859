import type { Routed } from '../contract/exchange.ts'

/**
 * The name of the model that replaces the account's own in a reply: the client's, if its alias or the
 * account has `replyModel: 'client'`. Undefined if the account's stays, and for calls without a model.
 */
export function replyModelOf({ model, candidate }: Routed): string | undefined {
  const replyModel = model.replyModel ?? candidate.account.replyModel
  return replyModel === 'client' && model.requested !== '' ? model.requested : undefined
}
