import { expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { form, upToOutput } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'
import { receive, ask } from '../walks/streams/asking.ts'
import { startServer } from './server.ts'

const exhausted = (details: readonly object[], status = 429) => ({
  error: { code: status, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED', details },
})
const retryInfo = {
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: '45.8s',
}

test.each([
  { client: 'chat', status: 429, wrapped: false },
  { client: 'generate', status: 429, wrapped: true },
  { client: 'messages', status: 503, wrapped: false },
] as const)('the RetryInfo of a $status rests the model, for a $client client', async (one) => {
  const body = exhausted([retryInfo], one.status)
  const answer = answerJson(one.wrapped ? [body] : body, { status: one.status })
  await using server = await startServer(answer, 'generate')
  const response = await ask(server.gateway, form[one.client], { stream: false })
  expect(response.status).toBe(one.status)
  expect(response.headers.get('retry-after')).toBe('46')
  await receive(response)

  await server.ask(one.client)
  expect(server.account.requests).toHaveLength(1)
})

test.each(['chat', 'messages'] as const)(
  'the RetryInfo of a chat server of Google rests the model, for a %s client',
  async (client) => {
    const answer = answerJson([exhausted([retryInfo])], { status: 429 })
    await using server = await startServer(answer)
    const response = await ask(server.gateway, form[client], { stream: false })
    expect(response.headers.get('retry-after')).toBe('46')
    await receive(response)
    await server.ask(client)
    expect(server.account.requests).toHaveLength(1)
  },
)

test('a header says more than the RetryInfo, and none of it rests a model that has failed otherwise', async () => {
  const headers = { 'retry-after': '7' }
  const limited = answerJson(exhausted([retryInfo]), { status: 429, headers })
  await using server = await startServer(limited, 'generate')
  const response = await ask(server.gateway, form.chat, { stream: false })
  expect(response.headers.get('retry-after')).toBe('7')

  await using broken = await startServer(
    answerJson(exhausted([retryInfo], 500), { status: 500 }),
    'generate',
  )
  await broken.ask('chat')
  await broken.ask('chat')
  expect(broken.account.requests).toHaveLength(2)
})

test.each(['chat', 'generate'] as const)(
  'the RetryInfo of an error inside a stream rests the model, for a %s client',
  async (client) => {
    await using server = await startServer((response) => {
      openStream(response)
      response.end(`data: ${JSON.stringify(exhausted([retryInfo]))}\n\n`)
    }, 'generate')
    expect((await server.ask(client, { stream: true })).status).toBe(429)
    await server.ask(client, { stream: true })
    expect(server.account.requests).toHaveLength(1)
  },
)

const { responses } = form
const told = {
  flat: (code: string) => ({ type: 'error', sequence_number: 4, code, message: 'Not now.' }),
  nested: (code: string) => ({
    type: 'error',
    error: { type: 'server_error', code, message: 'Not now.' },
  }),
  failed: (code: string) => ({
    type: 'response.failed',
    response: { id: 'resp_1', status: 'failed', error: { code, message: 'Not now.' } },
  }),
}

const codes = [
  { code: 'server_is_overloaded', messages: 'overloaded_error', chat: 'server_error', status: 503 },
  { code: 'slow_down', messages: 'overloaded_error', chat: 'server_error', status: 503 },
  {
    code: 'rate_limit_exceeded',
    messages: 'rate_limit_error',
    chat: 'rate_limit_error',
    status: 429,
  },
] as const

const forms = Object.keys(told) as (keyof typeof told)[]

test.each(codes.flatMap((one) => forms.map((name) => ({ ...one, name }))))(
  'the code $code of an error ($name) inside a Responses stream stays',
  async ({ code, name, messages, chat, status }) => {
    await using server = await startServer(async (response) => {
      openStream(response, upToOutput(responses))
      await new Promise((resolve) => setTimeout(resolve, 30))
      const event = told[name](code)
      response.end(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    }, 'responses')

    const native = await server.ask('responses', { stream: true })
    expect(native.text.match(/"code":"\w+"/g)).toContain(`"code":"${code}"`)
    expect(native.text).not.toContain('upstream_rejected')
    expect(native.text).toMatch(new RegExp(`response.failed.*"error":{"code":"${code}"`, 's'))

    const foreign = await server.ask('messages', { stream: true })
    expect(foreign.text).toContain(`"type":"${messages}"`)
    expect(foreign.text).toContain(`"code":${status}`)

    const old = await server.ask('chat', { stream: true })
    expect(old.text).toContain(`"type":"${chat}"`)
    expect(old.text).toContain(`"code":"${code}"`)
  },
)
