import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { startNginx } from './nginx.ts'

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-5',
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  })}\n\n`

test('behind an untuned nginx, a word reaches the client before the next one is spoken', async () => {
  const heard = Promise.withResolvers<void>()
  await using account = await startFakeAccount(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk('Hello'))
    // Buffered until the end, the first word would never be heard, and this never end.
    await heard.promise
    response.end(`${chunk(' there', 'stop')}data: [DONE]\n\n`)
  })
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  await using nginx = await startNginx(gateway.url)
  const response = await fetch(`${nginx.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({
      model: 'gpt-5',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString()
    if (text.includes('Hello')) heard.resolve()
  }
  expect(text).toBe(`${chunk('Hello')}${chunk(' there', 'stop')}data: [DONE]\n\n`)
})

test('a client that leaves nginx lets go of the account', async () => {
  await using account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk('Hello'))
  })
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  await using nginx = await startNginx(gateway.url)
  const leaving = new AbortController()
  const response = await fetch(`${nginx.url}/v1/chat/completions`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({
      model: 'gpt-5',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
  await response.body?.getReader().read()
  leaving.abort()
  // The first line is of nginx's start, when the test asked for `/livez`.
  const [, line] = await gateway.logged(2)
  expect(line).toMatchObject({ stream_end: 'client_gone', account: 'a' })
  await until(() => account.requests[0]?.aborted === true)
})
