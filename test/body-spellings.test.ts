import { expect, test } from 'vitest'

import { parseJsonBody } from '../src/body/read-body.ts'

/** A name whose every character is escaped. */
function escaped(name: string): string {
  return Array.from(name, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

test.each(['model', 'stream', 'previous_response_id', 'PREVIOUS_RESPONSE_ID'])(
  'the longest spelling of %s is refused',
  (name) => {
    const body = Buffer.from(`{"${escaped(name)}":"a"}`)

    expect(() => parseJsonBody(body)).toThrow('must be written in exactly this way')
  },
)

test('a key that is longer than each spelling of a declared one is any name', () => {
  const name = 'previous_response_idx'

  expect([...parseJsonBody(Buffer.from(`{"${escaped(name)}":"a"}`)).members.keys()]).toEqual([name])
})
