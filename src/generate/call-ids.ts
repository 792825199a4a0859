import { hash } from 'node:crypto'

import { briefly } from '../lib/text-digest.ts'
import type { AssistantPart, ToolCallPart } from './content.ts'
import type { GenerateRequest } from './request.ts'
import type { GenerateResult } from './result.ts'

/** Ids of tool calls that every dialect accepts (openclaw#31995: 40 characters). */
const fits = /^[A-Za-z0-9_-]{1,40}$/

/**
 * Returns the id of a tool call if every dialect accepts it, otherwise a hash of it. The result depends
 * on the id alone, so that a call and its result match in every turn.
 */
export function safeToolId(id: string): string {
  return fits.test(id) ? id : toolIdOf(id)
}

/** Creates the id of a tool call without one from facts that stay the same when the reply is read again. */
export function toolIdOf(...facts: readonly (string | number)[]): string {
  const brief = facts.map((fact) => (typeof fact === 'string' ? briefly(fact) : fact))
  const digest = hash('sha256', JSON.stringify(brief), 'base64url')
  return `call_${digest.replaceAll(/[-_]/g, '').slice(0, 24)}`
}

/**
 * The first fact for the ids of a reply's tool calls. The reply's id alone does not suffice: some
 * providers send none, or the same one with every reply.
 */
export function originOf({ exchangeId = '' }: GenerateRequest, replyId: string = ''): string {
  return exchangeId + replyId
}

/** The ids of the tool calls in a reply as the client reads them, in order. */
export function callIdsIn(
  { choices }: GenerateResult,
  written: (callId: string) => string = safeToolId,
): string[] {
  return choices.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool_call' ? [written(part.id)] : [])),
  )
}

/** A tool call of a turn, and the id of it and of its result in a request to an account. */
export interface IdentifiedCall {
  readonly call: ToolCallPart
  readonly id: string
}

/**
 * Returns the tool calls of a turn with ids that every account accepts. Replaces ids that are in
 * `taken` or occur twice, and adds the new ids to `taken`.
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
