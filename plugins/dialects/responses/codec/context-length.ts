import { part, text } from '../../../../src/usage.ts'

/** How it is said that an input is longer than what the model can read. */
const sayings = [
  /context[ _](?:length|window|size)/i,
  /(?:prompt|input) is too long/i,
  /input token count .*exceeds/i,
  /exceeds? the (?:model's )?(?:maximum|available) (?:context|number of (?:input )?tokens)/i,
]

/** Whether an account's answer says that the input is beyond the model's context. */
export function exceedsContext({ status, json }: { status: number; json: unknown }): boolean {
  const error = part(json, 'error')
  if (text(error, 'code') === 'context_length_exceeded') return true
  return saysTooLong(status, text(error, 'message') ?? '')
}

/** The same of what an account said inside its reply. */
export function saysTooLong(status: number, message: string): boolean {
  return (status === 400 || status === 413) && sayings.some((saying) => saying.test(message))
}
