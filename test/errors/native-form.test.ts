import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { createKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { readEvents } from '../exactness/sse-events.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { accountsAt, startService, useOnly } from '../requests/service.ts'

/** The error of a body in OpenAI's form, as strictly typed clients read it. */
interface OpenAiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string'

/** Throws unless a client with the types of async-openai 0.41 reads the body. */
function expectOpenAi(body: unknown): OpenAiError {
  const { error } = body as { error: OpenAiError }
  expect(typeof error.message).toBe('string')
  expect(typeof error.type).toBe('string')
  expect([error.param, error.code].map(isTextOrNull)).toEqual([true, true])
  return error
}

const native = { errors: 'native' } as const

describe("errors: 'native'", () => {
  test.each(['chat', 'responses'] as const)(
    'the own errors of the gateway keep no integer from a strictly typed client of %s',
    async (dialect) => {
      await using service = await startService(native)
      const wrongKey = { headers: { authorization: 'Bearer wrong' } }
      const errors = await Promise.all(
        [
          service.post(dialect, '{"model":"m"}'),
          service.post(dialect, '{'),
          service.ask(dialect, {}, wrongKey),
          service.ask(dialect, {}, { headers: { authorization: undefined } }),
          fetch(`${service.gateway.url}/v1/nothing`),
          fetch(`${service.gateway.url}/v1/responses`, { method: 'PUT' }),
        ].map(async (asked) => {
          const response = await asked
          return [response.status, expectOpenAi(await response.json())] as const
        }),
      )
      expect(errors.map(([status, { type, code }]) => [status, type, code])).toEqual([
        [400, 'invalid_request_error', 'missing_required_parameter'],
        [400, 'invalid_request_error', 'invalid_json'],
        [401, 'invalid_request_error', 'invalid_api_key'],
        [401, 'invalid_request_error', 'invalid_api_key'],
        [404, 'invalid_request_error', 'not_found'],
        [405, 'invalid_request_error', 'method_not_supported'],
      ])
      expect(errors.filter(([, error]) => 'details' in error)).toEqual([])
    },
  )

  test.each<[status: number, error: object, read: object]>([
    [
      400,
      { message: 'no', code: 400, type: 'BadRequestError', param: 7 },
      { code: null, param: null },
    ],
    [
      400,
      { message: 'no', code: 'invalid_value', type: 'x', param: 'a' },
      { code: 'invalid_value', type: 'x', param: 'a' },
    ],
    [400, { message: 'no', code: null, type: null }, { code: null, type: 'invalid_request_error' }],
    [429, { message: 'no', metadata: { raw: 'x' } }, { type: 'requests', metadata: { raw: 'x' } }],
    [500, { message: 'no', code: 500 }, { code: null, type: 'server_error' }],
  ])('an error of an account with status %i is read by types: %j', async (status, error, read) => {
    await using service = await startService(native, (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    })
    useOnly('chat', service)
    const response = await service.ask('chat')
    expect(response.status).toBe(status)
    expect(expectOpenAi(await response.json())).toMatchObject({ message: 'no', ...read })
  })

  test.each<[status: number, code: string | null, type: string]>([
    [429, 'rate_limit_exceeded', 'requests'],
    [400, null, 'invalid_request_error'],
    [500, null, 'server_error'],
  ])(
    'an error of a Messages account with status %i has OpenAI’s words',
    async (status, code, type) => {
      await using service = await startService(native, (response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end('{"type":"error","error":{"type":"some_error","message":"no"}}')
      })
      useOnly('messages', service)
      expect(expectOpenAi(await (await service.ask('chat')).json())).toMatchObject({ code, type })
    },
  )

  test('Messages clients get Anthropic’s members alone, and the details of the account', async () => {
    await using service = await startService(native)
    const own = (await (await service.post('messages', '{"model":"m"}')).json()) as object
    expect(own).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String) as string },
      request_id: expect.stringMatching(/^req_/) as string,
    })
    const details = { error_code: 'so' }
    await using refused = await startService(native, (response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          type: 'error',
          error: { type: 'not_found_error', message: 'no', details },
        }),
      )
    })
    useOnly('messages', refused)
    expect(await (await refused.ask('messages')).json()).toMatchObject({
      error: { type: 'not_found_error', message: 'no', details },
    })
  })

  test('Gemini clients get Google’s form, whose code is an integer', async () => {
    await using service = await startService(native)
    expect(await (await service.post('generate', '{}')).json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT' },
    })
  })

  const cut = {
    chat: 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n',
    responses:
      'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"r"}}\n\n' +
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"delta":"x"}\n\n',
    messages:
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n' +
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}\n\n',
  }

  test.each(
    dialectNames
      .filter((client) => client !== 'generate')
      .flatMap((client) =>
        (['chat', 'responses', 'messages'] as const).map((account) => ({ client, account })),
      ),
  )(
    'a stream of $account that is cut ends in the own form of $client',
    async ({ client, account }) => {
      await using service = await startService(native, (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(cut[account])
      })
      const speaks: readonly DialectName[] = [account]
      const accounts = accountsAt(service.upstream.url)
        .filter(({ id }) => id === (account === 'messages' ? 'anthropic' : 'openai'))
        .map((one) => ({ ...one, speaks: [...speaks] }))
      service.gateway.reload({ accounts })
      const response = await service.ask(client, { stream: true })
      const events = readEvents(await response.text())
      const errors = events
        .filter(({ data }) => data !== '[DONE]')
        .map(({ data }) => JSON.parse(data) as Record<string, unknown>)
        .filter(({ error }) => error)
      expect(errors).toHaveLength(1)
      const [failed] = errors
      if (client === 'messages') {
        expect(Object.keys(failed?.['error'] as object).toSorted()).toEqual(['message', 'type'])
      } else {
        expect(expectOpenAi(failed)).not.toHaveProperty('details')
        if (client === 'responses') expect(typeof failed?.['code']).toBe('string')
      }
    },
  )

  test('bytes that are no HTTP, and replies that cannot be sent, have the configured form', async () => {
    const broken = definePlugin({
      name: 'broken',
      onExchange: async () => ({ status: 200, headers: { 'x-bad': 'a\nb' }, body: null }),
    })
    await using gateway = await createTestGateway({ ...native, plugins: [broken] })
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    socket.end('hello\r\n\r\n')
    const [, body = ''] = (await text(socket)).split('\r\n\r\n')
    expectOpenAi(JSON.parse(body))
    const unsent = await fetch(`${gateway.url}/v1/models`)
    expect([unsent.status, expectOpenAi(await unsent.json()).code]).toEqual([500, 'server_error'])
  })
})

describe('the form of one key', () => {
  const key = (id: string, errors?: 'spec' | 'upstream' | 'native') => ({
    id,
    secret: `secret-of-${id}`,
    ...(errors && { errors }),
  })
  const asked = async (
    service: Awaited<ReturnType<typeof startService>>,
    id: string,
  ): Promise<unknown> => {
    const headers = { authorization: `Bearer secret-of-${id}` }
    const body = (await (await service.ask('chat', {}, { headers })).json()) as {
      error: { code: unknown }
    }
    return body.error.code
  }

  test('each key has its form where the configuration has another', async () => {
    const error = { error: { message: 'no', code: 'so' } }
    const keys = [key('native', 'native'), key('upstream', 'upstream'), key('plain')]
    await using service = await startService({ keys }, answerJson(error, { status: 422 }))
    useOnly('chat', service)
    expect(
      await Promise.all(['native', 'upstream', 'plain'].map((id) => asked(service, id))),
    ).toEqual(['so', 'so', 422])
    const headers = { authorization: 'Bearer unknown' }
    const response = await service.ask('chat', {}, { headers })
    expect(await response.json()).toMatchObject({ error: { code: 401 } })
  })

  test('a key that is to have the contract has it where the configuration is native', async () => {
    const keys = [key('typed'), key('contract', 'spec')]
    await using service = await startService({ keys, ...native, accounts: [] })
    expect(await asked(service, 'contract')).toBe(404)
    expect(await asked(service, 'typed')).toBe('model_not_found')
  })

  test('a key of the store has its form', async () => {
    const store = openMemoryStore()
    const { secret } = await createKey(store, { id: 'typed', errors: 'native' })
    await using service = await startService({ keys: [], store, accounts: [] })
    const headers = { authorization: `Bearer ${secret}` }
    const response = await service.ask('chat', {}, { headers })
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })
})
