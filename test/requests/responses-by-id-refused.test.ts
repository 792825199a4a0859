import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { sendRaw } from '../errors/raw.ts'
import { at, bodiless } from '../walks/chaining/by-id-calls.ts'
import { startOwner } from '../walks/chaining/owner.ts'

describe('a client that asks for what it does not have', () => {
  test.each(bodiless)('%s %s: 404, and nobody is asked', async (method, path) => {
    await using owner = await startOwner()
    const kind = path.startsWith('/v1/responses') ? 'Response' : 'Conversation'
    for (const id of ['unknown', ' ', 'x'.repeat(600), '\u0000', 'X1', 'x1 ']) {
      const response = await owner.ask(method, at(path, encodeURIComponent(id)))
      const type = 'invalid_request_error'
      const body: unknown = await response.json()
      expect({ status: response.status, body }).toEqual({
        status: 404,
        body: {
          error: {
            code: 404,
            message: `${kind} with id '${id}' not found.`,
            details: [{ code: 'not_found', type, param: null }],
            type,
            param: null,
          },
        },
      })
    }
    expect(owner.requests).toEqual([])
  })

  test('a response is no conversation, even of the same name', async () => {
    await using owner = await startOwner()
    owner.script = answerJson({ id: 'conv_2', object: 'conversation' })
    await (await owner.ask('POST', '/v1/conversations')).text()

    expect((await owner.ask('GET', '/v1/conversations/conv_2')).status).toBe(200)
    expect((await owner.ask('GET', '/v1/responses/conv_2')).status).toBe(404)
  })

  test.each(['%2e%2e', '%2e', '..%2fconv_2', 'a%2f..%2f..%2fx', '..%5cconv_2'])(
    'no item of its conversation is called %s',
    async (item) => {
      await using owner = await startOwner()
      const { url, key } = owner.gateway
      const head = `DELETE /v1/conversations/x1/items/${item} HTTP/1.1\r\nhost: gateway\r\n`

      const { status } = await sendRaw(url, `${head}authorization: Bearer ${key}\r\n\r\n`)

      expect(status).toBe(404)
      expect(owner.requests).toEqual([])
    },
  )

  test('the account may know it no more', async () => {
    await using owner = await startOwner()
    owner.script = answerJson({ error: { message: 'Gone.', code: 'gone' } }, { status: 404 })

    for (const [method, path] of bodiless) {
      const response = await owner.ask(method, at(path, 'x1'))
      expect({ status: response.status, body: (await response.json()) as unknown }).toMatchObject({
        status: 404,
        body: { error: { code: 404, message: 'Gone.', details: [{ code: 'gone' }] } },
      })
    }
    expect(owner.requests).toHaveLength(bodiless.length)
  })

  test('the account may say so with a status of success', async () => {
    await using owner = await startOwner()
    owner.script = answerJson({ error: { message: 'Gone.', type: 'not_found_error' } })

    for (const [method, path] of bodiless) {
      const response = await owner.ask(method, at(path, 'x1'))
      expect({ status: response.status, body: (await response.json()) as unknown }).toMatchObject({
        status: 404,
        body: { error: { code: 404, message: 'Gone.' } },
      })
    }
  })
})

describe('a client is told of its mistake', () => {
  test.each(bodiless.filter(([method]) => method !== 'GET'))(
    '%s %s takes no body',
    async (method, path) => {
      await using owner = await startOwner()
      expect((await owner.ask(method, at(path, 'x1'), '{}')).status).toBe(400)
      expect(owner.requests).toEqual([])
    },
  )

  test.each(['stream=maybe', 'stream=', 'stream=True', 'stream=true&stream=false'])(
    'who asks with %s',
    async (query) => {
      await using owner = await startOwner()
      const response = await owner.ask('GET', `/v1/responses/x1?${query}`)
      expect({ status: response.status, body: (await response.json()) as unknown }).toMatchObject({
        status: 400,
        body: { error: { param: 'stream', details: [{ code: 'invalid_value' }] } },
      })
      expect(owner.requests).toEqual([])
    },
  )

  test('which methods there are', async () => {
    await using owner = await startOwner()
    const response = await owner.ask('PUT', '/v1/responses/x1', '{}')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, DELETE')
  })
})
