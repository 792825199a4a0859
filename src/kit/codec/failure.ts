import type { ErrorEvent } from '../../generate/events.ts'
import { stringAt } from '../../lib/json/read.ts'
import { errorIn } from '../upstream-error.ts'

/** How providers say that an input is longer than what their model can read. */
const sayings = [
  /context[ _-]?(?:length|window|size|limit)/i,
  /maximum (?:prompt|input|sequence) length/i,
  /(?:prompt|input|request|conversation) (?:is|was) too long/i,
  /too many (?:input )?tokens/i,
  /input token count .*exceeds/i,
  /exceeds? the (?:model's )?(?:maximum|available) (?:context|number of (?:input )?tokens)/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  /too large for model with \d+ maximum/i,
]

/** What a refusal of the request as it stands may have for its status. */
const statuses = new Set([400, 413, 422])

const codes = new Set(['context_length_exceeded', 'exceed_context_size_error'])

/** Whether an account says, in whatever words, that the input is beyond the model's context. */
export function mentionsContextLength(
  status: number,
  error: Record<string, unknown> | undefined,
): boolean {
  if (codes.has(stringAt(error, 'code') ?? '') || codes.has(stringAt(error, 'type') ?? ''))
    return true
  const message = stringAt(error, 'message') ?? ''
  return statuses.has(status) && sayings.some((saying) => saying.test(message))
}

/** The same of a whole answer that is no reply. */
export function exceedsContext({ status, json }: { status: number; json: unknown }): boolean {
  return mentionsContextLength(status, errorIn(json) ?? plainError(json))
}

/** Some servers tell of an error without an envelope. */
function plainError(json: unknown): Record<string, unknown> | undefined {
  const message = stringAt(json, 'message') ?? stringAt(json, 'detail')
  return message === undefined ? undefined : { message }
}

const unspoken = 'The upstream reported an error.'

/** What an account tells of a failure inside its reply, where its status would have been this one. */
export function failureOf(error: Record<string, unknown> | undefined, status: number): ErrorEvent {
  const message = stringAt(error, 'message') || unspoken
  const isTooLong = mentionsContextLength(status, error)
  return { type: 'error', message, status, ...(isTooLong && { code: 'context_length_exceeded' }) }
}
