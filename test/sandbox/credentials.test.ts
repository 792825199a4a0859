import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { dialectNames, errorMessage, greet, post } from './requests.ts'

describe('a wrong key is refused in the words of the provider', () => {
  test('OpenAI', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox, 'sk-wrong')
    await expect(openai.responses.create({ model: 'm', input: 'hi' })).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'invalid_request_error',
    })
  })

  test('Anthropic', async () => {
    await using sandbox = await startSandbox()
    const { anthropic } = clientsOf(sandbox, 'wrong')
    const messages = [{ role: 'user' as const, content: 'hi' }]
    await expect(
      anthropic.messages.create({ model: 'm', max_tokens: 1, messages }),
    ).rejects.toMatchObject({ status: 401, type: 'authentication_error' })
  })

  test('Gemini, which calls it a bad request', async () => {
    await using sandbox = await startSandbox()
    const { genai } = clientsOf(sandbox, 'wrong')
    await expect(
      genai.models.generateContent({ model: 'm', contents: 'hi' }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('API_KEY_INVALID') })
  })
})

test.each([
  ['responses', { 'x-api-key': 'sandbox-key-a' }, 401],
  ['chat-completions', { 'x-goog-api-key': 'sandbox-key-a' }, 401],
  ['messages', { 'x-goog-api-key': 'sandbox-key-a' }, 401],
  ['generate-content', { authorization: 'Bearer sandbox-key-a' }, 403],
] as const)('%s does not look for the key in %o', async (dialect, headers, status) => {
  await using sandbox = await startSandbox()
  const request = greet(dialect, 'm')
  const version = dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}
  const response = await post(sandbox, { ...request, headers: { ...headers, ...version } })
  expect(response.status).toBe(status)
})

test('Gemini takes the key from the query as well', async () => {
  await using sandbox = await startSandbox()
  const request = greet('generate-content', 'sandbox/whoami')
  const path = `${request.path}?key=sandbox-key-b`
  const response = await post(sandbox, { ...request, path, headers: {} })
  expect(await response.text()).toContain('"text":"b"')
})

test('the key says which account answers', async () => {
  await using sandbox = await startSandbox({ accounts: [{ id: 'mine', key: 'k' }] })
  const { openai } = clientsOf(sandbox, 'k')
  const { data, response } = await openai.responses
    .create({ model: 'sandbox/whoami', input: 'hi' })
    .withResponse()
  expect(data.output_text).toBe('mine')
  expect(response.headers.get('x-sandbox-account')).toBe('mine')
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(sandbox.requests[0]?.account).toBe('mine')
})

describe('headers that a gateway must not pass on', () => {
  test.each([
    'cookie',
    'baggage',
    'openai-organization',
    'openai-project',
    'x-goog-user-project',
    'proxy-authorization',
  ])('%s is refused by every provider', async (name) => {
    await using sandbox = await startSandbox()
    for (const dialect of dialectNames) {
      const response = await post(sandbox, greet(dialect, 'm'), { headers: { [name]: 'x' } })
      expect(response.status).toBe(400)
      expect(await errorMessage(response)).toBe(`sandbox: leaked header ${name}`)
    }
  })

  test.each([
    ['responses', 'x-api-key'],
    ['chat-completions', 'x-goog-api-key'],
    ['messages', 'authorization'],
    ['messages', 'x-goog-api-key'],
    ['generate-content', 'authorization'],
  ] as const)('%s refuses %s beside its own credential', async (dialect, name) => {
    await using sandbox = await startSandbox()
    const headers = { [name]: 'Bearer sandbox-key-a' }
    const response = await post(sandbox, greet(dialect, 'm'), { headers })
    expect(response.status).toBe(400)
    expect(await errorMessage(response)).toBe(`sandbox: leaked header ${name}`)
  })
})
