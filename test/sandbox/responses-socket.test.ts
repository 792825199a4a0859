import OpenAI from 'openai-7'
import { ResponsesWS } from 'openai-7/resources/responses/ws'
import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { connectResponses, idOf, startStage, typesOf } from '../sockets/responses.ts'

test('the client of OpenAI creates responses over the sandbox’s own WebSocket', async () => {
  await using sandbox = await startSandbox()
  const client = new OpenAI({ apiKey: 'sandbox-key-a', baseURL: `${sandbox.url}/v1` })
  const ws = new ResponsesWS(client)
  const done = new Promise<string>((resolve, reject) => {
    ws.on('response.completed', ({ response }) => resolve(response.output_text || response.id))
    ws.on('error', reject)
  })
  ws.send({ type: 'response.create', model: 'sandbox/echo', input: 'hello' })
  expect(await done).toMatch(/^resp_/)
  ws.close()
})

const key = 'sandbox-key-a'

test('the sandbox and the gateway answer the same messages in the same way', async () => {
  await using stage = await startStage()
  await using own = await connectResponses({ url: stage.sandbox.url, key })
  await using other = await connectResponses(stage.gateway)
  const unstored = { store: false, include: ['reasoning.encrypted_content'] }
  const bodies = [
    { input: 'one', ...unstored },
    { input: 'two', ...unstored, previous_response_id: 'last' },
    { input: 'three', ...unstored, previous_response_id: 'none' },
    { input: 'four', ...unstored, generate: false },
    { input: 'five', ...unstored, previous_response_id: 'last', stream_id: 'a' },
    { model: 'sandbox/think', ...unstored },
    { model: 'sandbox/tool', tools: [{ type: 'function', name: 'f', parameters: {} }] },
    { input: 5 },
    { background: true },
    { stream_id: 'a b' },
    { type: 'other' },
  ]
  const last = new Map<object, string>()
  for (const body of bodies) {
    const [ofSandbox, ofGateway] = await Promise.all(
      [own, other].map((client) => {
        const named = 'previous_response_id' in body && body.previous_response_id === 'last'
        return client.respond({ ...body, ...(named && { previous_response_id: last.get(client) }) })
      }),
    )
    expect(typesOf(ofGateway ?? []), JSON.stringify(body)).toEqual(typesOf(ofSandbox ?? []))
    const [event, answer] = [ofSandbox?.at(-1), ofGateway?.at(-1)]
    expect(answer?.status, JSON.stringify(body)).toBe(event?.status)
    expect(answer?.stream_id).toBe(event?.stream_id)
    if (event?.type === 'error') continue
    last.set(own, idOf(ofSandbox ?? []))
    last.set(other, idOf(ofGateway ?? []))
  }
})

test('a handshake needs a key, and a path that has a socket', async () => {
  await using sandbox = await startSandbox()
  await expect(connectResponses({ url: sandbox.url, key: 'wrong' })).rejects.toThrow(/^401/)
  await expect(connectResponses({ url: `${sandbox.url}/v2`, key })).rejects.toThrow(/^404/)
})
