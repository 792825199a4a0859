import { expect, test } from 'vitest'

import { collected, decodedEvents, decodedResult } from './codec.ts'

const created = { type: 'response.created', response: { id: 'resp_1' } }
const say = {
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  delta: 'Hello',
}

const failures: [string, object, number, string][] = [
  [
    'a flat error',
    { type: 'error', code: 'rate_limit_exceeded', message: 'Slow.', param: null },
    429,
    'Slow.',
  ],
  [
    'a nested error',
    { type: 'error', error: { type: 'server_error', code: 'server_error', message: 'Oops.' } },
    500,
    'Oops.',
  ],
  ['an error without a type', { error: { code: 503, message: 'Later.' } }, 503, 'Later.'],
  ['an error of one string', { error: 'Broken.' }, 502, 'Broken.'],
  [
    'a failed response',
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'Oops.' } },
    },
    500,
    'Oops.',
  ],
  [
    'a failed response that does not say why',
    { type: 'response.failed', response: { error: null } },
    502,
    'The upstream reported an error.',
  ],
  [
    'one that calls itself complete',
    { type: 'response.failed', response: { status: 'completed', error: { message: 'Oops.' } } },
    502,
    'Oops.',
  ],
  [
    'a failed response that calls itself complete and does not say why',
    { type: 'response.failed', response: { status: 'completed' } },
    502,
    'The upstream reported an error.',
  ],
  [
    'a wrong key',
    { type: 'error', error: { code: 'invalid_api_key', message: 'No.' } },
    401,
    'No.',
  ],
  [
    'a prompt that was refused',
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'invalid_prompt', message: 'No.' } },
    },
    400,
    'No.',
  ],
  [
    'a picture that cannot be read',
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'image_parse_error', message: 'Hm.' } },
    },
    400,
    'Hm.',
  ],
  [
    'a prompt beyond the context',
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'context_length_exceeded', message: 'Long.' } },
    },
    400,
    'Long.',
  ],
  [
    'a cancelled response',
    { type: 'response.incomplete', response: { status: 'cancelled' } },
    502,
    'The response was cancelled.',
  ],
]

test.each(failures)(
  '%s inside a stream is an error, and nothing follows it',
  (_, event, status, message) => {
    const after = { type: 'response.completed', response: { output: [] } }
    const decoded = decodedEvents([created, say, { ...event }, after])
    expect(decoded.at(-1)).toMatchObject({ type: 'error', status, message })
    expect(decoded.filter(({ type }) => type === 'error' || type === 'finish')).toHaveLength(1)
  },
)

test.each(failures.filter(([, event]) => 'response' in event))(
  '%s as JSON is the same',
  (_, event, status, message) => {
    const { response, type } = event as { response: object; type: string }
    const { status: told } = response as { status?: string }
    const json = {
      ...response,
      status: told === 'cancelled' ? told : type.replace('response.', ''),
    }
    expect(decodedResult(json)).toMatchObject({ type: 'error', status, message })
  },
)

test('a stream that only ends is no reply', () => {
  expect(collected([created, say])).toBeUndefined()
  expect(decodedEvents([created, say]).map(({ type }) => type)).toEqual(['start', 'part', 'delta'])
})

test.each([
  ['is still in progress', { status: 'in_progress', output: [] }],
  ['is queued', { status: 'queued', output: [] }],
  ['has no output', { status: 'completed' }],
  [
    'calls a nameless tool',
    { status: 'completed', output: [{ type: 'function_call', call_id: 'a' }] },
  ],
])('a response that %s is no reply', (_, reply) => {
  expect(() => decodedResult(reply)).toThrow(
    expect.objectContaining({ code: 'upstream_invalid_reply' }),
  )
})
