import type { ErrorEvent } from '../../generate/events.ts'
import { stringAt } from '../../lib/json/read.ts'
import { startOfMessage } from '../message-start.ts'
import { errorIn, messageIn, messageOf, noMessage } from '../upstream-error.ts'

/** Messages of providers for an input that exceeds the model's context. */
const contextMessages = [
  /context[ _-]?(?:length|window|size|limit)/i,
  /maximum (?:prompt|input|sequence) length/i,
  /(?:prompt|input|request|conversation) (?:is|was) too long/i,
  /too many (?:input )?tokens/i,
  /input token count .{0,100}exceeds/i,
  /exceeds? the (?:model's )?(?:maximum|available) (?:context|number of (?:input )?tokens)/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  /too large for model with \d+ maximum/i,
]

/** Statuses with which providers reject a request that is too long. */
const contextStatuses = new Set([400, 413, 422])

const contextCodes = new Set(['context_length_exceeded', 'exceed_context_size_error'])

/** Whether an account's error says, by code or message, that the input exceeds the model's context. */
export function mentionsContextLength(
  status: number,
  error: Record<string, unknown> | undefined,
): boolean {
  const code = stringAt(error, 'code') ?? ''
  const type = stringAt(error, 'type') ?? ''
  if (contextCodes.has(code) || contextCodes.has(type)) return true
  const message = startOfMessage(stringAt(error, 'message') ?? '')
  return contextStatuses.has(status) && contextMessages.some((pattern) => pattern.test(message))
}

/** The same for a complete error reply. */
export function exceedsContext({ status, json }: { status: number; json: unknown }): boolean {
  return mentionsContextLength(status, errorIn(json) ?? plainError(json))
}

/** Some servers send an error without an envelope. */
function plainError(json: unknown): Record<string, unknown> | undefined {
  const message = messageIn(json) ?? stringAt(json, 'detail')
  return message === undefined ? undefined : { message }
}

/** The event for a model that has ended without an answer, with the reason and perhaps a message of the account. */
export function unusableAnswer(reason: string, message?: string): ErrorEvent {
  return {
    type: 'error',
    message: message || `The model failed: ${reason}.`,
    status: 502,
    about: 'answer',
  }
}

/** The event for an error inside a reply. `status` is the HTTP status that the error stands for. */
export function failureOf(error: Record<string, unknown> | undefined, status: number): ErrorEvent {
  const message = messageOf(error) || noMessage
  const isTooLong = mentionsContextLength(status, error)
  return { type: 'error', message, status, ...(isTooLong && { code: 'context_length_exceeded' }) }
}
