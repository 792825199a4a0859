import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { openStream } from '../streams/scripted.ts'
import { startMixed } from './mixed.ts'

/** What providers say to an input that their model cannot read as a whole. */
const overflows = [
  {
    account: form.chat,
    status: 400,
    error: {
      message: "This model's maximum context length is 128000 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  },
  {
    account: form.messages,
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 210000 tokens > 200000 maximum',
    },
  },
  {
    account: form.messages,
    status: 413,
    error: { type: 'request_too_large', message: 'Request exceeds the maximum allowed size.' },
  },
  {
    account: form.generate,
    status: 400,
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message:
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
  },
]

describe.each(overflows)('$status of a $account.name account', ({ account, status, error }) => {
  test.each([{ stream: true }, { stream: false }])(
    'is context_length_exceeded for a Responses client (stream: $stream)',
    async ({ stream }) => {
      const script = answerJson({ error }, { status })
      await using mixed = await startMixed({ foreign: { form: account, script } })

      const response = await ask(mixed.gateway, form.responses, { stream })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: {
          code: 400,
          type: 'invalid_request_error',
          message: error.message,
          details: [{ code: 'context_length_exceeded' }],
        },
      })
      expect((await mixed.gateway.logged(1))[0]).toMatchObject({
        error_type: 'context_length_exceeded',
      })
    },
  )

  test('asks no other account for the same', async () => {
    const script = answerJson({ error }, { status })
    await using mixed = await startMixed({
      foreign: { form: account, script },
      other: { form: account, settings: { priority: 1 } },
    })

    expect((await ask(mixed.gateway, form.responses)).status).toBe(400)
    expect(mixed.accounts.other.requests).toHaveLength(0)
  })
})

test('an overflow that is told inside a stream is one as well', async () => {
  const error = { type: 'request_too_large', message: 'Request exceeds the maximum allowed size.' }
  await using mixed = await startMixed({
    foreign: {
      form: form.messages,
      script(response) {
        openStream(response)
        response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)
      },
    },
  })

  const response = await ask(mixed.gateway, form.responses)

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { details: [{ code: 'context_length_exceeded' }] },
  })
})
