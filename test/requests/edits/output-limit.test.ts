import { expect, test } from 'vitest'

import { answerAnything, startService } from '../service.ts'

type Field = 'max_tokens' | 'max_completion_tokens'

/** A gateway with one account of the Chat Completions API at an upstream of its own. */
async function chatOnly(provider: string, outputLimitField?: Field) {
  const service = await startService({}, answerAnything)
  service.gateway.reload({
    accounts: [
      {
        id: 'a',
        provider,
        baseUrl: `${service.upstream.url}/v1`,
        speaks: ['chat'],
        models: ['*'],
        ...(outputLimitField && { outputLimitField }),
      },
    ],
  })
  return service
}

const body = (limits: string) =>
  `{ ${limits}"messages":[{"role":"user","content":"\\"max_completion_tokens\\":1"}], "seed":12345678901234567890e-2,"model":"m"}`

test.each([
  ['"max_completion_tokens" : 7,', '"max_tokens" : 7,'],
  ['"max_tokens":9,"max_completion_tokens":7,', '"max_tokens":7,'],
  ['"max_completion_tokens":7, "max_tokens": 9,\n', '"max_tokens":7,\n'],
  ['"max_tokens":null,"max_completion_tokens":7,', '"max_tokens":7,'],
  ['"max_tokens":9,', '"max_tokens":9,'],
  ['"max_completion_tokens":null,"max_tokens":9,', '"max_completion_tokens":null,"max_tokens":9,'],
  ['', ''],
])('the limit of %s reaches an account that knows `max_tokens` only', async (sent, received) => {
  await using service = await chatOnly('openai-compatible')
  expect((await service.post('chat', body(sent))).status).toBe(200)
  expect(service.received().body.toString()).toBe(body(received))
})

test('the limit is renamed at the end of a body as well', async () => {
  await using service = await chatOnly('openai-compatible')
  const rest = '{"model":"m","messages":[{"role":"user","content":"hi"}],'
  await service.post('chat', `${rest}"max_completion_tokens":7,"max_tokens":9}`)
  expect(service.received().body.toString()).toBe(`${rest}"max_tokens":7}`)
})

test.each([
  ['openai-compatible', undefined, 'max_tokens'],
  ['openai-compatible', 'max_completion_tokens', 'max_completion_tokens'],
  ['openai', undefined, 'max_completion_tokens'],
  ['openai', 'max_tokens', 'max_tokens'],
] as const)(
  'a %s account with outputLimitField %s gets %s from native and translated requests',
  async (provider, setting, field) => {
    await using service = await chatOnly(provider, setting)
    const sent = [
      ['chat', { max_completion_tokens: 7 }],
      ['responses', { max_output_tokens: 7 }],
      ['messages', { max_tokens: 7 }],
      ['generate', { generationConfig: { maxOutputTokens: 7 } }],
    ] as const
    for (const [dialect, fields] of sent) {
      expect((await service.ask(dialect, fields)).status).toBe(200)
      const { max_tokens, max_completion_tokens } = JSON.parse(
        service.received().body.toString(),
      ) as Partial<Record<Field, number>>
      const other = field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
      expect({ max_tokens, max_completion_tokens }).toEqual({ [field]: 7, [other]: undefined })
    }
  },
)
