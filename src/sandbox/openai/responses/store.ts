import type { Account } from '../../accounts.ts'
import { type JsonObject, textOf } from '../../json.ts'
import type { StoredResponse } from '../../stored.ts'
import { responseNotFound } from '../not-found.ts'
import { weightOf } from '../../bounded-map.ts'
import { isUnfinished, responseSoFar } from './background-work.ts'

/** Stores a response. The store evicts the oldest ones when it is full. */
export function storeResponse(account: Account, stored: StoredResponse): void {
  const { response, transcript, work } = stored
  const weight = weightOf(response) + weightOf(transcript) + 256 * (work?.events.length ?? 0)
  account.responses.put(textOf(response['id']), stored, weight)
}

/** Finds a response. Throws a 404 for an id that this account does not have. */
export function findResponse(account: Account, id: string): StoredResponse {
  const stored = account.responses.get(id)
  if (!stored) throw responseNotFound(id)
  return stored
}

/** The present state of a response. */
export function currentResponse({ response, work }: StoredResponse): JsonObject {
  return work ? responseSoFar(work) : response
}

/** Whether a response has an end that a next turn can continue from. */
export function canBeContinued(stored: StoredResponse): boolean {
  if (!stored.work) return true
  const { status } = responseSoFar(stored.work)
  return !isUnfinished(stored.work) && ['completed', 'incomplete'].includes(textOf(status))
}
