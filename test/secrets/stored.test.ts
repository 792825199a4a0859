import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { dialects } from '../requests/dialects.ts'
import { basePath, canariesIn, everything, placeOf, secret, wholeOf } from './canaries.ts'

const frame = (type: string, response: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, response, sequence_number: 1 })}\n\n`

test('a stored response that failed is read without the words about its account', async () => {
  let url = ''
  await using upstream = await startFakeAccount((response, { method, url: path }) => {
    const stored = { ...dialects.responses.reply, id: 'resp_1' }
    if (method === 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ ...stored, status: 'queued' }))
    }
    const text = everything(url)
    const failed = { ...stored, status: 'failed', error: { code: 'x', message: text } }
    const isStream = path.includes('stream=true')
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    response.end(isStream ? frame('response.failed', failed) : JSON.stringify(failed))
  })
  url = placeOf(upstream)
  const account = { id: 'a', provider: 'openai', baseUrl: url + basePath, apiKey: secret }
  await using gateway = await createTestGateway({ accounts: [{ ...account, models: ['m'] }] })
  const headers = {
    authorization: `Bearer ${gateway.key}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ ...dialects.responses.request, background: true })
  const created = await fetch(`${gateway.url}/v1/responses`, { method: 'POST', headers, body })
  expect(created.status).toBe(200)
  for (const query of ['', '?stream=true', '?include[]=x']) {
    const response = await fetch(`${gateway.url}/v1/responses/resp_1${query}`, { headers })
    expect(response.status).toBe(200)
    const whole = await wholeOf(response)
    expect(whole).toContain('failed')
    expect([query, canariesIn(whole, url)]).toEqual([query, []])
  }
})
