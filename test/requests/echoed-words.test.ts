import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { type DialectName, dialectNames } from './dialects.ts'
import { accountsAt, startService } from './service.ts'

async function speaking(account: DialectName) {
  const service = await startService()
  const providers = {
    chat: 'openai',
    responses: 'openai',
    messages: 'anthropic',
    generate: 'gemini',
  }
  const own = accountsAt(service.upstream.url).find(({ id }) => id === providers[account])
  service.gateway.reload({ accounts: [{ ...own!, speaks: [account] }] })
  return service
}

const wrong: [string, Record<string, unknown>][] = [
  ['truncation', { truncation: 'maybe' }],
  ['truncation', { truncation: '' }],
  ['truncation', { truncation: 5 }],
  ['truncation', { truncation: ['auto'] }],
  ['include', { include: 'reasoning.encrypted_content' }],
  ['include', { include: {} }],
  ['include[0]', { include: ['nonsense'] }],
  ['include[1]', { include: ['reasoning.encrypted_content', 5] }],
  ['include[0]', { include: [null] }],
  ['frequency_penalty', { frequency_penalty: 'x' }],
  ['presence_penalty', { presence_penalty: 2.1 }],
]

describe.each(dialectNames)('on a %s account', (account) => {
  test.each(dailyRows(wrong, dialectNames.indexOf(account)))(
    'a nonsensical `%s` of a Responses client is refused, not repeated: %j',
    async (param, fields) => {
      await using service = await speaking(account)
      for (const stream of [false, true]) {
        const response = await service.ask('responses', { ...fields, stream })
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ error: { param } })
      }
      expect(service.upstream.requests).toEqual([])
    },
  )

  test('the words of the contract are accepted', async () => {
    await using service = await speaking(account)
    const fields = [
      { truncation: 'auto' },
      { truncation: 'disabled' },
      { truncation: null, include: null },
      { include: [] },
      { include: ['reasoning.encrypted_content', 'web_search_call.results'] },
      { frequency_penalty: -2, presence_penalty: 2 },
    ]
    for (const one of fields) {
      expect((await service.ask('responses', one)).status, JSON.stringify(one)).toBe(200)
    }
  })
})

test.each(['chat', 'messages', 'generate'] as const)(
  'an unknown tier is not repeated as the tier of a response of a %s account',
  async (account) => {
    await using service = await speaking(account)
    const response = await service.ask('responses', { service_tier: 'nonsense' })
    expect(await response.json()).toMatchObject({ service_tier: 'auto' })
  },
)

const contents: [string, unknown][] = [
  ['contents[0].parts', [{}]],
  ['contents[0].parts', [{ role: 'user' }]],
  ['contents[0].parts', [{ role: 'user', parts: [] }]],
  ['contents[0].parts', [{ role: 'user', parts: null }]],
  ['contents[1].parts', [{ parts: [{ text: 'hi' }] }, { role: 'model', parts: [] }]],
  ['contents[0].parts[0]', [{ parts: [{}] }]],
]

describe.each(['chat', 'responses', 'messages'] as const)('on a %s account', (account) => {
  test.each(contents)(
    'a content without content is refused as by the provider: %s',
    async (param, list) => {
      await using service = await speaking(account)
      const response = await service.ask('generate', { contents: list })
      expect(response.status).toBe(400)
      expect(JSON.stringify(await response.json())).toContain(param)
      expect(service.upstream.requests).toEqual([])
    },
  )

  test.each([{}, { parts: [] }])('so is a system instruction: %j', async (systemInstruction) => {
    await using service = await speaking(account)
    const response = await service.ask('generate', { systemInstruction })
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('systemInstruction.parts')
  })
})
