import type { Account } from '../../accounts.ts'
import { type JsonObject, textOf } from '../../json.ts'
import type { StoredResponse } from '../../stored.ts'
import { responseNotFound } from '../not-found.ts'
import { weightOf } from '../../bounded-map.ts'
import { isUnfinished, responseSoFar } from './background-work.ts'

/** Keeps a response, and forgets the oldest ones when there are very many. */
export function storeResponse(account: Account, stored: StoredResponse): void {
  const { response, transcript, work } = stored
  const weight = weightOf(response) + weightOf(transcript) + 256 * (work?.events.length ?? 0)
  account.responses.put(textOf(response['id']), stored, weight)
}

/** Throws a 404 for an id that this account does not have. */
export function findResponse(account: Account, id: string): StoredResponse {
  const stored = account.responses.get(id)
  if (!stored) throw responseNotFound(id)
  return stored
}

/** The response as it is now. */
export function currentResponse({ response, work }: StoredResponse): JsonObject {
  return work ? responseSoFar(work) : response
}

/** True for a response with an end from which a conversation can go on. */
export function canBeContinued(stored: StoredResponse): boolean {
  if (!stored.work) return true
  const { status } = responseSoFar(stored.work)
  return !isUnfinished(stored.work) && ['completed', 'incomplete'].includes(textOf(status))
}
