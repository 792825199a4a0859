import { text } from '../usage.ts'
import { saysTooLong } from './context-length.ts'
import type { ErrorEvent } from '../generate/events.ts'

const unspoken = 'The upstream reported an error.'

/** What an account tells of a failure inside its reply, where its status would have been this one. */
export function failureOf(error: Record<string, unknown> | undefined, status: number): ErrorEvent {
  const message = text(error, 'message') || unspoken
  const isTooLong = saysTooLong(status, error)
  return { type: 'error', message, status, ...(isTooLong && { code: 'context_length_exceeded' }) }
}
