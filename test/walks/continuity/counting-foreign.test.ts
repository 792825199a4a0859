import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type Counter, counters } from './counters.ts'
import { type Spoken, startStage } from './stage.ts'

const counting = ['responses', 'messages', 'generate'] as const
const pairs = counting.flatMap((client) =>
  counting.filter((account) => account !== client).map((account) => ({ client, account })),
)

/** What each account is asked, of the same question. */
const paths: Readonly<Record<Counter, string>> = {
  responses: '/v1/responses/input_tokens',
  messages: '/v1/messages/count_tokens',
  generate: '/v1beta/models/m:countTokens',
}

describe.concurrent.for(dailyRows(pairs))(
  'a $client client of a $account account',
  ({ client, account }) => {
    const { ask, kinds, read } = counters[client]

    test('has its tokens counted there', async () => {
      await using stage = await startStage(account)

      const response = await ask(stage.gateway)

      expect(response.status).toBe(200)
      expect(read(await response.json())).toBe(4)
      expect(stage.sandbox.requests.map(({ url }) => url.split('?')[0])).toEqual([paths[account]])
      const [line] = await stage.gateway.logged(1)
      expect(line).toMatchObject({ account_dialect: account, status: 200, attempts: 1 })
    })

    test('is told in its own words what the account refuses', async () => {
      await using stage = await startStage(account)

      const response = await ask(stage.gateway, { model: 'sandbox/status=429' })

      expect(response.status).toBe(429)
      const { error } = (await response.json()) as { error: Record<string, unknown> }
      expect(error).toMatchObject({ code: 429 })
      expect([error.type, error.status]).toContain(kinds.tooMany)
    })

    test('is told of an answer that has no count', async () => {
      await using stage = await startStage(account)

      const response = await ask(stage.gateway, { model: 'sandbox/badjson' })

      expect(response.status).toBe(502)
      expect(await response.text()).toContain("The upstream's reply is not a JSON object.")
    })
  },
)

describe.concurrent.for(counting)('a %s client', (client) => {
  const { ask, kinds } = counters[client]

  test('is told that the model is served by accounts that cannot count', async () => {
    await using stage = await startStage('chat')

    const response = await ask(stage.gateway)

    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    const message = 'The model `m` is served, but only by accounts that cannot count tokens.'
    expect(error).toMatchObject({ code: 400, message })
    expect([error.type, error.status]).toContain(kinds.bad)
    expect(stage.sandbox.requests).toEqual([])
  })

  test('has its own dialect asked first', async () => {
    await using stage = await startStage('chat')
    stage.serveBy(...counting)

    await ask(stage.gateway)

    expect(stage.sandbox.requests.map(({ account }) => account)).toEqual([client])
  })
})

test.for(['chat', 'messages', 'generate'] satisfies Spoken[])(
  'a client is told that accounts that speak %s cannot compact',
  async (spoken) => {
    await using stage = await startStage(spoken)

    const response = await counters.responses.ask(stage.gateway, { path: '/v1/responses/compact' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: 400,
        param: 'model',
        message: 'The model `m` is served, but only by accounts that cannot compact histories.',
      },
    })
  },
)

test('a model that nobody serves is not found', async () => {
  await using stage = await startStage('messages')
  stage.gateway.reload({ accounts: [] })

  expect((await counters.responses.ask(stage.gateway)).status).toBe(404)
})

test('a client has all counted that the model would be told', async () => {
  await using stage = await startStage('generate')
  const tools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }]
  const fields = { system: 'five six', tools, tool_choice: { type: 'any' } }

  const response = await counters.messages.ask(stage.gateway, { fields })

  expect(counters.messages.read(await response.json())).toBe(6)
  expect(stage.asked()[0]?.json).toMatchObject({
    generateContentRequest: {
      model: 'models/m',
      systemInstruction: { parts: [{ text: 'five six' }] },
      tools: [{ functionDeclarations: [{ name: 'weather' }] }],
    },
  })
})

test('a Gemini client has a whole request counted', async () => {
  await using stage = await startStage('messages')
  const contents = [{ role: 'user', parts: [{ text: 'one two three' }] }]
  const whole = {
    model: 'models/m',
    contents,
    generationConfig: { maxOutputTokens: 9, temperature: 0.5 },
  }

  const fields = { contents: undefined, generateContentRequest: whole }
  const response = await counters.generate.ask(stage.gateway, { fields })

  expect(await response.json()).toEqual({ totalTokens: 3 })
  expect(Object.keys(stage.asked()[0]?.json ?? {}).sort()).toEqual(['messages', 'model'])
})

test('a client is told what is not counted with the rest', async () => {
  await using stage = await startStage('messages')

  const fields = { input: 'one two', text: { verbosity: 'low' }, truncation: 'auto' }
  const response = await counters.responses.ask(stage.gateway, { fields })

  expect(counters.responses.read(await response.json())).toBe(2)
  expect(response.headers.get('x-dragoman-losses')).toContain('truncation')
})

test('a client that wants nothing lost has nothing counted otherwise', async () => {
  await using stage = await startStage('messages', { losses: 'reject' })

  const fields = { input: 'one two', truncation: 'auto' }
  const response = await counters.responses.ask(stage.gateway, { fields })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'truncation' } })
  expect(stage.sandbox.requests).toEqual([])
})
