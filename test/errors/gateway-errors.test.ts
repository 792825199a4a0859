import { describe, expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { accountsAt, startService, useOnly } from '../requests/service.ts'
import { expectError, words } from './envelope.ts'

/** What is not translated: chat completions have no word for it. */
const countPaths = {
  messages: '/v1/messages/count_tokens',
  generate: '/v1beta/models/m:countTokens',
}

describe.each(dialectNames)('C1 #7 %s', (dialect) => {
  test('a bad request is told in the whole envelope, with the field at fault', async () => {
    await using service = await startService()
    const response = await service.post(dialect, '{"model":"m"}')
    const { error } = await expectError(dialect, response, 400, words.invalid)
    const field = { responses: 'input', chat: 'messages', messages: 'messages' }[dialect as 'chat']
    expect(error.message).toContain(field ?? 'contents')
    expect(JSON.stringify(error.details)).toContain(field ?? 'contents')
  })

  test('an unknown model is not found', async () => {
    await using service = await startService({ accounts: [] })
    const path = dialect === 'generate' ? { path: '/v1beta/models/nobody:generateContent' } : {}
    const response = await service.ask(dialect, { model: 'nobody' }, path)
    const { error } = await expectError(dialect, response, 404, words.notFound)
    expect(error.message).toContain('nobody')
  })

  test('an upstream that nobody reaches is a 502 without its address', async () => {
    await using service = await startService()
    await service.upstream[Symbol.asyncDispose]()
    const response = await service.ask(dialect)
    const body = await expectError(dialect, response, 502)
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|undici/)
    expect(response.headers.get('x-should-retry')).toBe('false')
  })

  test('an upstream that does not answer in time is a 504', async () => {
    await using service = await startService({ timeouts: { firstByteMs: 50 } }, () => {})
    await expectError(dialect, await service.ask(dialect), 504)
  })

  test('an upstream whose reply is no JSON is a 502', async () => {
    const html = '<html>gateway-canary</html>'
    await using service = await startService({}, (response) => void response.end(html))
    const body = await expectError(dialect, await service.ask(dialect), 502)
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test('a redirect is not followed', async () => {
    await using service = await startService({}, (response, request) => {
      response.writeHead(302, { location: `${request.url}/canary` }).end('moved')
    })
    useOnly(dialect, service)
    const body = await expectError(dialect, await service.ask(dialect), 502)
    expect(JSON.stringify(body)).not.toContain('canary')
    expect(service.upstream.requests).toHaveLength(1)
  })

  test('an account that the upstream refuses is no fault of the caller', async () => {
    await using service = await startService({}, (response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"Incorrect API key: canary","code":"invalid_api_key"}}')
    })
    const response = await service.ask(dialect)
    const body = await expectError(dialect, response, 502)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test('C2: nobody is left to ask: the SDK is told not to try again', async () => {
    await using service = await startService({}, (response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    })
    useOnly(dialect, service)
    // Until the gateway has checked the account.
    await until(async () => (await service.ask(dialect)).status !== 502)
    const asked = service.upstream.requests.length
    const response = await service.ask(dialect)
    const body = await expectError(dialect, response, dialect === 'messages' ? 529 : 503)
    expect(response.headers.get('x-should-retry')).toBe('false')
    if (dialect === 'messages') expect(body.error.type).toBe('overloaded_error')
    if (dialect === 'generate') expect(body.error.status).toBe('UNAVAILABLE')
    expect(service.upstream.requests).toHaveLength(asked)
  })
})

test.each(Object.entries(countPaths))(
  'a client of %s cannot have tokens counted by an account that only chats',
  async (name, path) => {
    await using service = await startService()
    const [openai] = accountsAt(service.upstream.url)
    service.gateway.reload({ accounts: [{ ...openai!, speaks: ['chat'] }] })
    const dialect = name as DialectName
    await expectError(dialect, await service.ask(dialect, {}, { path }), 400, words.invalid)
  },
)
