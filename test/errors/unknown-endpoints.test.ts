import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { unknownEndpoint } from '../../src/exchange/unknown-endpoint.ts'
import { type Service, startService } from '../requests/service.ts'
import { type DialectName, dialects } from '../requests/dialects.ts'
import { expectError, words } from './envelope.ts'
import { sendRaw } from './raw.ts'

type Envelope = DialectName | 'general'

const post = (service: Service, path: string, headers: Record<string, string> = {}) =>
  fetch(service.gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  })

test('an unknown endpoint is named with its method and path', async () => {
  await using service = await startService()
  const { error } = await expectError('general', await post(service, '/v1/fine_tuning/jobs'), 404)
  expect(error.message).toBe('Unknown endpoint POST /v1/fine_tuning/jobs. See /openapi.json.')
  const gemini = await post(service, '/v1beta/corpora')
  const { error: named } = await expectError('generate', gemini, 404, words.notFound)
  expect(named.message).toBe('Unknown endpoint POST /v1beta/corpora. See /openapi.json.')
})

test.each<[string, string, Envelope]>([
  ['/v1/v1/chat/completions', '/v1/chat/completions', 'chat'],
  ['/v1/v1/v1/chat/completions', '/v1/chat/completions', 'chat'],
  ['/chat/completions', '/v1/chat/completions', 'chat'],
  ['/v1/v1/responses', '/v1/responses', 'responses'],
  ['/responses', '/v1/responses', 'responses'],
  ['/v1/v1/messages', '/v1/messages', 'messages'],
  ['/messages/count_tokens', '/v1/messages/count_tokens', 'messages'],
  ['/v1/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent', 'generate'],
  ['/v1beta/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent', 'generate'],
  ['/models/m:generateContent', '/v1/models/m:generateContent', 'generate'],
])('a client that posts to %s reads that it means %s', async (path, meant, dialect) => {
  await using service = await startService()
  const response = await post(service, path)
  const { error } = await expectError(dialect, response, 404, words.notFound)
  expect(error.message).toBe(`Unknown endpoint POST ${path}. Did you mean ${meant}?`)
})

test.each([
  ['GET', '/v1/batches/file-1', '`batch_`'],
  ['GET', '/v1/files/abc/content', '`file-` or `file_`'],
  ['POST', '/v1/uploads/part_1/complete', '`upload_`'],
  ['GET', '/v1/messages/batches/batch_1', '`msgbatch_`'],
])(
  '%s %s has an id of another kind, whose message says its beginning',
  async (method, path, words) => {
    await using service = await startService()
    const response = await fetch(service.gateway.url + path, { method })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([
      404,
      `Unknown endpoint ${method} ${path}. An id at this place begins with ${words}.`,
    ])
  },
)

test('on a shared path the client decides the format of the error', async () => {
  await using service = await startService()
  const read = async (headers: Record<string, string>, envelope: Envelope) => {
    const response = await fetch(`${service.gateway.url}/v1/v1/models`, { headers })
    const { error } = await expectError(envelope, response, 404, words.notFound)
    expect(error.message).toMatch(/ GET \/v1\/v1\/models\. Did you mean \/v1\/models\?$/)
  }
  await read({}, 'general')
  await read(dialects.messages.credential('x'), 'messages')
  await read({ 'x-goog-api-key': 'x' }, 'generate')
})

/** A plugin whose dialect has one operation at each of these paths. */
const dialectAt = (id: string, ...paths: string[]) =>
  definePlugin({
    name: id,
    dialects: [
      {
        id,
        requestIdHeader: `x-${id}-id`,
        credential: () => undefined,
        error: ({ status, message }) => ({ status, body: { [id]: message } }),
        operations: [
          {
            id: `${id}.ask`,
            method: 'POST',
            paths,
            auth: 'none',
            summary: 'Asks',
            serve: () => ({ status: 200, headers: {}, body: 'asked' }),
          },
        ],
      },
    ],
  })

test.each(['/model/x/invoke', '/model', '/model/x/converse/y', '/v1/model/x/invoke'])(
  'the dialect that alone has operations below the beginning of %s formats its error',
  async (path) => {
    const bedrock = dialectAt('bedrock', '/model/{model}/converse', '/v1/model/{model}/converse')
    await using service = await startService({ plugins: [bedrock] })
    const response = await post(service, path)
    expect(response.status).toBe(404)
    expect(response.headers.get('x-bedrock-id')).toMatch(/^req_/)
    const message = `Unknown endpoint POST ${path}. See /openapi.json.`
    expect(await response.json()).toEqual({ bedrock: message })
  },
)

test('an unknown path below a beginning that two dialects have belongs to neither', async () => {
  const plugins = [dialectAt('one', '/model/{model}/converse'), dialectAt('two', '/model/list')]
  await using service = await startService({ plugins })
  await expectError('general', await post(service, '/model/x/invoke'), 404)
  const deeper = await post(service, '/model/list/all')
  expect(await deeper.json()).toHaveProperty('two')
})

test('a client that a dialect claims gets its error below the paths of others too', async () => {
  await using service = await startService()
  const elsewhere = '/v1/responses/r/batches'
  const claimed = await post(service, elsewhere, dialects.messages.credential('x'))
  await expectError('messages', claimed, 404, words.notFound)
  const batches = await post(service, '/v1/messages/batches/none/nothing')
  await expectError('messages', batches, 404, words.notFound)
})

test('a HEAD request with a doubled version is a 404 without a body', async () => {
  await using service = await startService()
  const response = await fetch(`${service.gateway.url}/v1/v1/models`, { method: 'HEAD' })
  expect(response.status).toBe(404)
  expect(await response.text()).toBe('')
})

test.each([
  '/v1/v1/fine_tuning/jobs',
  '/v1/v1/videos/edits',
  '/fine_tuning/jobs',
  '/v1/',
  '/v1/v1',
])('no other endpoint is suggested for %s', async (path) => {
  await using service = await startService()
  const { error } = await expectError('general', await post(service, path), 404)
  expect(error.message).toBe(`Unknown endpoint POST ${path}. See /openapi.json.`)
})

test('the query, which may hold a key, is not in the message', async () => {
  await using service = await startService()
  const { error } = await expectError('general', await post(service, '/nowhere?key=secret'), 404)
  expect(error.message).toBe('Unknown endpoint POST /nowhere. See /openapi.json.')
})

test('a long path is shortened in the message', async () => {
  await using service = await startService()
  const long = `/${'a'.repeat(5_000)}`
  const { error } = await expectError('general', await post(service, long), 404)
  expect(error.message).toBe(`Unknown endpoint POST ${long.slice(0, 200)}.... See /openapi.json.`)
})

test('quotes and brackets of a path stand in the message as JSON', async () => {
  await using service = await startService()
  const { body } = await sendRaw(service.gateway.url, 'GET /a"<b> HTTP/1.1\r\nhost: g\r\n\r\n')
  expect(JSON.parse(body)).toMatchObject({
    error: { message: 'Unknown endpoint GET /a"<b>. See /openapi.json.' },
  })
})

test('other bytes, which a lenient HTTP parser accepts, are percent-encoded in the message', () => {
  const { message } = unknownEndpoint(
    { method: 'GET', path: '/caf\u00c3\u00a9\u001b[2J\n' },
    { meant: undefined, isDescribed: true },
  )
  expect(message).toBe('Unknown endpoint GET /caf%C3%A9%1B[2J%0A. See /openapi.json.')
})
