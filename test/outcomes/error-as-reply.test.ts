import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { refusing, serving, startPool } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

const { responses, chat, messages, generate } = form

/** What each provider says with a 200 when it cannot serve, and the status it would have had. */
const disguised = [
  { form: responses, error: { type: 'server_error', message: 'overworked' }, status: 500 },
  { form: chat, error: { code: 502, message: 'overworked' }, status: 502 },
  { form: messages, error: { type: 'overloaded_error', message: 'overworked' }, status: 529 },
  { form: generate, error: { code: 503, message: 'overworked' }, status: 503 },
]

const plain = { stream: false }

describe.each(disguised)('a $form.name account that says an error with a 200', (one) => {
  const { form, error, status } = one

  test('has failed, and another account serves', async () => {
    await using pool = await startPool(form, { a: answerJson({ error }), b: serving(form) })

    const response = await ask(pool.gateway, form, plain)

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    expect(await response.json()).toEqual(form.reply)
  })

  test('is told as an error where there is no other account', async () => {
    await using pool = await startPool(form, { only: answerJson({ error }) })

    const response = await ask(pool.gateway, form, plain)

    expect(response.status).toBe(status)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({ error: { code: status, message: 'overworked' } })
    expect((await pool.gateway.logged(1))[0]).toMatchObject({
      status,
      error_type: 'upstream_rejected',
    })
  })
})

test('an account that asks for peace with a 200 is left alone', async () => {
  const limited = answerJson({ error: { code: 429 } }, { headers: { 'retry-after': '60' } })
  await using pool = await startPool(chat, { a: limited, b: serving(chat) })

  await ask(pool.gateway, chat, plain)
  await ask(pool.gateway, chat, plain)

  expect(pool.accounts.a.requests).toHaveLength(1)
})

test('an error of the caller’s making asks no other account', async () => {
  const error = { type: 'invalid_request_error', message: 'no such tool' }
  await using pool = await startPool(chat, { a: answerJson({ error }), b: serving(chat) })

  const response = await ask(pool.gateway, chat, plain)

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: 'no such tool' } })
  expect(pool.accounts.b.requests).toHaveLength(0)
})

test('no secret of the account is told with its error', async () => {
  const error = { message: 'bad key key-of-only' }
  await using pool = await startPool(chat, { only: answerJson({ error }) })

  expect(await (await ask(pool.gateway, chat, plain)).text()).not.toContain('key-of-only')
})

test('a response that failed is a reply like any other', async () => {
  const failed = { ...responses.reply, status: 'failed', error: { code: 'x', message: 'y' } }
  await using pool = await startPool(responses, { a: answerJson(failed), b: refusing(500) })

  const response = await ask(pool.gateway, responses, plain)

  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(failed)
})

const elsewhere = [
  { form: messages, path: '/v1/messages/count_tokens', reply: { input_tokens: 3 } },
  { form: generate, path: '/v1beta/models/m:countTokens', reply: { totalTokens: 3 } },
  {
    form: responses,
    path: '/v1/responses/input_tokens',
    reply: { object: 'response.input_tokens', input_tokens: 3 },
  },
  {
    form: responses,
    path: '/v1/responses/compact',
    reply: { id: 'resp_1', object: 'response.compaction', created_at: 1, output: [] },
  },
]

test.each(elsewhere)('a message alone is no answer to $path', async ({ form, path, reply }) => {
  await using pool = await startPool(form, {
    a: answerJson({ message: 'overworked' }),
    b: answerJson(reply),
  })

  const response = await fetch(pool.gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${pool.gateway.key}`,
      'content-type': 'application/json',
      ...form.headers,
    },
    body: JSON.stringify(form.body('m', false)),
  })

  expect(response.headers.get('x-dragoman-account')).toBe('b')
  expect(await response.json()).toEqual(reply)
})
