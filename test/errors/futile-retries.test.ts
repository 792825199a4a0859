import { expect, test } from 'vitest'

import { type ErrorCode, GatewayError, errorTable } from '../../src/contract/errors.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

async function retryOf(response: Response | Promise<Response>) {
  const { status, headers } = await response
  return [status, headers.get('x-should-retry')]
}

test.each(dialectNames)(
  'a %s client is not led to repeat a request that the gateway itself refuses',
  async (dialect) => {
    await using service = await startService({ limits: { jsonBodyBytes: 1_000 } })
    const wrongKey = { authorization: 'Bearer x', 'x-api-key': 'x', 'x-goog-api-key': 'x' }
    const refused: [number, Promise<Response>][] = [
      [401, service.ask(dialect, {}, { headers: wrongKey })],
      [400, service.post(dialect, '{')],
      [400, service.post(dialect, '{"model":"m"}')],
      [404, service.ask(dialect, {}, { path: '/v1/nothing' })],
      [413, service.post(dialect, JSON.stringify({ padding: 'x'.repeat(2_000) }))],
      [415, service.post(dialect, '<a/>', { headers: { 'content-type': 'text/xml' } })],
      [405, fetch(`${service.gateway.url}/v1/chat/completions`)],
    ]
    for (const [status, response] of refused) {
      expect(await retryOf(response)).toEqual([status, 'false'])
    }
  },
)

test('every refusal of the gateway that a repeated request meets again is marked so', () => {
  const passing: ErrorCode[] = [
    'request_timeout',
    'rate_limited',
    'budget_in_use',
    'client_closed_request',
  ]
  const others = Object.entries(errorTable).filter(
    ([code, { status }]) => status < 500 && !passing.includes(code as ErrorCode),
  )
  const unmarked = others.filter(([, row]) => !('retry' in row) || row.retry)
  // The status of a plugin's refusal is up to the plugin.
  expect(unmarked.map(([code]) => code)).toEqual(['plugin_rejected'])
})

test('a plugin that refuses for a while with an own status leaves the retry to the client', async () => {
  const busy = definePlugin({
    name: 'busy',
    onCall() {
      throw new GatewayError('invalid_request', 'Later.', { status: 429 })
    },
  })
  await using service = await startService({ plugins: [busy] })
  expect(await retryOf(service.ask('chat'))).toEqual([429, null])
})
