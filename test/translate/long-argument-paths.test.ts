import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { dialects } from '../requests/dialects.ts'

const chatOnly = (url: string) => [
  {
    id: 'a',
    provider: 'openai' as const,
    baseUrl: `${url}/v1`,
    speaks: ['chat' as const],
    models: ['m'],
  },
]

/** The path of a name in quotes of 10 million characters, which has no end. */
const endless = `$['${'b'.repeat(10_000_000)}`
const piece = {
  functionCall: { name: 'f', partialArgs: [{ jsonPath: endless, stringValue: 'x' }] },
}

test('a path of an argument that is too long is the fault of the request, not of the gateway', async () => {
  await using service = await startService({}, answerJson(dialects.chat.reply))
  service.gateway.reload({ accounts: chatOnly(service.upstream.url) })
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [piece] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
  ]
  const refused = await service.ask('generate', { contents })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('JSON Paths')
})

test('a path of an argument that is too long is the fault of the account, not of the gateway', async () => {
  const candidates = [{ content: { role: 'model', parts: [piece] }, finishReason: 'STOP' }]
  await using service = await startService({}, answerJson({ candidates }))
  service.gateway.reload({
    accounts: [{ id: 'a', provider: 'gemini', baseUrl: service.upstream.url, models: ['m'] }],
  })
  const failed = await service.ask('chat')
  expect(failed.status).toBe(502)
})
