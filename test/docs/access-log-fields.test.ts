import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { openPage } from './pages.ts'

/** The fields in the first column of the table about the access log. */
function documentedFields(): string[] {
  const section = openPage('docs/operations.md').section('The access log')
  const columns = Array.from(section.matchAll(/^\| (`[^|]+) \|/gm), ([, column = '']) => column)
  return columns.flatMap((column) =>
    Array.from(column.matchAll(/`(\w+)`/g), ([, name = '']) => name),
  )
}

test('every field of the access log is documented, and every documented one is written', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await createTestGateway({
    telemetry: { traces: { sample: 0 } },
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'old', secret: 'old-secret', expiresAt: '2020-01-01T00:00:00Z' },
    ],
    plugins: [definePlugin({ name: 'billing', onAccessLog: () => ({ tenant: 'acme' }) })],
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['sandbox/*', 'nowhere'],
      },
      {
        id: 'm',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-b',
        speaks: ['messages'],
        models: ['translated'],
      },
      ...Array.from({ length: 60 }, (_, index) => ({
        id: `m-${index}`,
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-b',
        speaks: ['messages'],
        models: ['crowded'],
      })),
    ],
    aliases: {
      unlucky: {
        model: 'sandbox/status=429',
        fallbacks: [{ on: ['rate_limited'], model: 'sandbox/echo' }],
      },
    },
  })
  const headers = {
    authorization: 'Bearer test-secret',
    'content-type': 'application/json',
  }
  const post = async (path: string, body: object) => {
    const method = 'POST'
    const response = await fetch(gateway.url + path, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  const create = (fields: object) =>
    post('/v1/responses', { model: 'sandbox/echo', input: 'hello', ...fields })

  const model = 'sandbox/polls=0+pollfail=1+pollstatus=503+fails=moderation_blocked'
  const video = await post('/v1/videos', { model, prompt: 'a harbour' })
  for (let polls = 0; polls < 2; polls++) {
    await (await fetch(`${gateway.url}/v1/videos/${video.id}`, { headers })).arrayBuffer()
  }
  const { id } = await create({})
  await create({ previous_response_id: id })
  await create({ model: 'nowhere' })
  await create({ model: 'unlucky' })
  await create({ model: 'sandbox/status=500' })
  await create({ model: 'sandbox/status=429+retry-after=60' })
  await create({ model: 'crowded', background: true })
  await create({ model: 'translated', text: { verbosity: 'low' } })
  await create({ model: 'sandbox/status=429+retry-after=60' })
  await (
    await fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'sandbox/echo', input: 'hello', voice: 'alloy' }),
    })
  ).arrayBuffer()
  for (const [path, body] of [
    ['/v1/rerank', { model: 'sandbox/echo', query: 'a', documents: ['a'] }],
    ['/v1/images/generations', { model: 'sandbox/echo', prompt: 'a' }],
  ] as const) {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    await (await fetch(gateway.url + path, sent)).arrayBuffer()
  }
  const form = new FormData()
  form.append('file', new File(['x'], 'a.mp3'))
  form.append('model', 'sandbox/text=whisper')
  await (
    await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: headers.authorization },
      body: form,
    })
  ).arrayBuffer()
  const old = { headers: { authorization: 'Bearer old-secret' } }
  await (await fetch(`${gateway.url}/v1/models`, old)).arrayBuffer()

  const written = new Set((await gateway.logged(16)).flatMap((line) => Object.keys(line)))
  expect([...written].toSorted(compare)).toEqual(documentedFields().toSorted(compare))
})

const compare = (one: string, other: string) => one.localeCompare(other)
