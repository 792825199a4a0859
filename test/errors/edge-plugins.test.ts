import { Response } from '@whatwg-node/server'
import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'
import { expectError } from './envelope.ts'

const canary = 'edge-canary'

function fail(): never {
  throw new Error(canary)
}

const failing: Record<string, NonNullable<GatewayPlugin['http']>> = {
  onRequest: { onRequest: fail },
  'onRequest, later': { onRequest: async () => fail() },
  onResponse: { onResponse: fail },
  'onResponse, later': { onResponse: async () => fail() },
}

describe.each(Object.entries(failing))('an edge plugin that fails in %s', (_, http) => {
  test('ends as a clean error, with an id to ask about', async () => {
    await using service = await startService({ plugins: [definePlugin({ name: 'edge', http })] })
    for (const dialect of dialectNames) {
      const body = await expectError('general', await service.ask(dialect), 500)
      expect(JSON.stringify(body)).not.toMatch(/canary|\.ts/)
    }
    expect(JSON.stringify(service.gateway.log)).toContain(canary)
  })
})

const instrumentations: Record<string, NonNullable<GatewayPlugin['http']>['instrumentation']> = {
  'before the request': { request: fail },
  'after the request': {
    async request(_, wrapped) {
      await wrapped()
      fail()
    },
  },
}

test.each(Object.entries(instrumentations))(
  'an edge plugin whose instrumentation fails %s still answers',
  async (_, instrumentation) => {
    const http = { instrumentation } as NonNullable<GatewayPlugin['http']>
    await using service = await startService({ plugins: [definePlugin({ name: 'edge', http })] })
    const response = await service.ask('chat')
    expect(await response.text()).not.toMatch(/canary|\.ts/)
    expect([200, 500]).toContain(response.status)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(JSON.stringify(service.gateway.log)).toContain(canary)
  },
)

test('an edge plugin answers in the gateway’s place, and adds to its answers', async () => {
  const http: NonNullable<GatewayPlugin['http']> = {
    onRequest({ request, endResponse }) {
      if (request.method === 'OPTIONS') endResponse(new Response(null, { status: 204 }))
    },
    onResponse({ response }) {
      response.headers.set('access-control-allow-origin', '*')
    },
  }
  await using service = await startService({ plugins: [definePlugin({ name: 'cors', http })] })
  const url = `${service.gateway.url}/v1/chat/completions`
  const preflight = await fetch(url, { method: 'OPTIONS' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  for (const dialect of dialectNames) {
    const response = await service.ask(dialect)
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    await response.json()
  }
})

test('streams pass edge plugins as they are', async () => {
  const stream =
    'data: {"choices":[{"index":0,"delta":{"content":"é"},"finish_reason":"stop"}]}\n\n'
  const plugin = definePlugin({ name: 'edge', http: { onResponse() {} } })
  await using service = await startService({ plugins: [plugin] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of Buffer.from(stream)) response.write(Buffer.from([byte]))
    response.end('data: [DONE]\n\n')
  })
  const response = await service.ask('chat', { stream: true })
  expect(await response.text()).toBe(`${stream}data: [DONE]\n\n`)
})
