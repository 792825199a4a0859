import { hash } from 'node:crypto'

import type { AssistantPart, ToolCallPart } from './content.ts'
import type { GenerateRequest } from './request.ts'
import type { GenerateResult } from './result.ts'

/** What every dialect takes as the id of a tool call (openclaw#31995: 40 characters). */
const fits = /^[A-Za-z0-9_-]{1,40}$/

/**
 * The id of a tool call as every dialect takes it: as it is where it fits, otherwise a hash of it.
 * The same id gives the same one, so that a call and its result find each other in any turn.
 */
export function safeToolId(id: string): string {
  return fits.test(id) ? id : toolIdOf(id)
}

/** An id for a call that its provider did not name, from what does not change when it is read again. */
export function toolIdOf(...facts: readonly (string | number)[]): string {
  const digest = hash('sha256', JSON.stringify(facts), 'base64url')
  return `call_${digest.replaceAll(/[-_]/g, '').slice(0, 24)}`
}

/**
 * What the calls in a reply are named after that their provider did not name: some give no ids to
 * their replies either, or one to all of them.
 */
export function originOf({ exchangeId = '' }: GenerateRequest, replyId: string = ''): string {
  return exchangeId + replyId
}

/** What the client calls the calls in a reply, in their order. */
export function callIdsIn(
  { choices }: GenerateResult,
  written: (callId: string) => string = safeToolId,
): string[] {
  return choices.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool_call' ? [written(part.id)] : [])),
  )
}

/** A call of an answer, and the id that it and its result go under at an account. */
export interface IdentifiedCall {
  readonly call: ToolCallPart
  readonly id: string
}

/**
 * Ids that every account takes; calls of one answer that share an id are told apart, and from those
 * whose ids are taken already.
 */
export function identifyCalls(
  content: readonly AssistantPart[],
  taken = new Set<string>(),
): IdentifiedCall[] {
  return content.flatMap((call) => {
    if (call.type !== 'tool_call') return []
    const safe = safeToolId(call.id)
    const id = taken.has(safe) ? toolIdOf(call.id, taken.size) : safe
    taken.add(id)
    return { call, id }
  })
}
