import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type FieldStage, policies, startFieldStage } from './fields/stage.ts'

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

/** The accounts of other dialects that a client of the Gemini API may get. */
const accounts = ['responses', 'chat', 'messages'] as const

describe('a client of the Gemini API', () => {
  let stage: FieldStage
  beforeAll(async () => void (stage = await startFieldStage()))
  afterAll(() => stage[Symbol.asyncDispose]())

  const ask = (
    account: (typeof accounts)[number],
    generationConfig: object,
    policy: (typeof policies)[number] = 'drop',
  ) => stage.ask('generate', account, policy, { contents, generationConfig })

  test.each([-1, 0, 1.5, '-1', '1.5'])(
    'whose limit of output tokens is %j gets a 400 from any account',
    async (maxOutputTokens) => {
      for (const account of accounts) {
        for (const policy of policies) {
          const asked = await ask(account, { maxOutputTokens }, policy)
          const field = 'generationConfig.maxOutputTokens'
          expect(asked).toMatchObject({ status: 400, body: undefined, param: field })
        }
      }
    },
  )

  test('whose limit is written as text, as Protobuf allows, is served with that limit', async () => {
    const { status, body } = await ask('chat', { maxOutputTokens: '50' })
    expect([status, body?.max_completion_tokens]).toEqual([200, 50])
  })
})
