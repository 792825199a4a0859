import { describe, expect, test } from 'vitest'

import { answerJson, type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway, type TestGateway } from '../../src/testing/gateway.ts'

const user = [{ role: 'user', content: 'hi' }]
const messages = { path: '/v1/messages', body: { model: 'cheap', max_tokens: 9, messages: user } }
const chat = { path: '/v1/chat/completions', body: { model: 'cheap', messages: user } }
const responses = { path: '/v1/responses', body: { model: 'cheap', input: 'hi' } }
const generate = {
  path: '/v1beta/models/cheap:generateContent',
  body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}
const images = { path: '/v1/images/generations', body: { model: 'cheap', prompt: 'hi' } }

const image = (model: string) => ({ type: 'image_generation', model })
const advisor = (model: string) => ({ type: 'advisor_20260301', name: 'advisor', model })
const addition = (model: string) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition: advisor(model) },
})

/** Every place in which a request names a model beside its own. */
const places: [what: string, call: typeof messages | object, (model: string) => object, string][] =
  [
    ['a fallback', messages, (model) => ({ fallbacks: [{ model }] }), 'fallbacks[0].model'],
    ['an advisor', messages, (model) => ({ tools: [advisor(model)] }), 'tools[0].model'],
    [
      'an advisor that comes later',
      messages,
      (model) => ({ messages: [...user, { role: 'system', content: [addition(model)] }] }),
      'messages[1].content[0].tool.definition.model',
    ],
    [
      'an advisor of a compaction',
      messages,
      (model) => ({
        messages: [
          { role: 'assistant', content: [{ type: 'compaction', tool_changes: [addition(model)] }] },
          ...user,
        ],
      }),
      'messages[0].content[0].tool_changes[0].tool.definition.model',
    ],
    ['a list of models', messages, (model) => ({ models: ['cheap', model] }), 'models[1]'],
    ['a list of models', chat, (model) => ({ models: ['cheap', model] }), 'models[1]'],
    ['a fallback', chat, (model) => ({ fallbacks: [model] }), 'fallbacks[0]'],
    ['a judge', chat, (model) => ({ moderation: { model } }), 'moderation.model'],
    ['a tool', chat, (model) => ({ tools: [image(model)] }), 'tools[0].model'],
    ['a list of models', responses, (model) => ({ models: [model] }), 'models[0]'],
    ['a judge', responses, (model) => ({ moderation: { model } }), 'moderation.model'],
    ['a painter', responses, (model) => ({ tools: [image(model)] }), 'tools[0].model'],
    [
      'the author of a drawing',
      responses,
      (model) => ({ tools: [{ type: 'image_generation', svg: { model } }] }),
      'tools[0].svg.model',
    ],
    [
      'a painter of a namespace',
      responses,
      (model) => ({ tools: [{ type: 'namespace', name: 'n', tools: [image(model)] }] }),
      'tools[0].tools[0].model',
    ],
    [
      'an allowed painter',
      responses,
      (model) => ({ tool_choice: { type: 'allowed_tools', tools: [image(model)] } }),
      'tool_choice.tools[0].model',
    ],
    [
      'a painter that comes later',
      responses,
      (model) => ({ input: [...user, { type: 'additional_tools', tools: [image(model)] }] }),
      'input[1].tools[0].model',
    ],
    [
      'a route',
      generate,
      (modelName) => ({ generationConfig: { routingConfig: { manualMode: { modelName } } } }),
      'generationConfig.routingConfig.manualMode.modelName',
    ],
    [
      'a route in snake case',
      generate,
      (name) => ({ generation_config: { routing_config: { manual_mode: { model_name: name } } } }),
      'generationConfig.routingConfig.manualMode.modelName',
    ],
    ['the author of a drawing', images, (model) => ({ svg: { model } }), 'svg.model'],
  ]
const rows = places.map(([what, call, members, field]) => ({
  ...(call as typeof messages),
  what,
  members,
  field,
}))

/** No other account is asked after this. */
const refuse = answerJson({ error: { message: 'asked' } }, { status: 400 })

interface Stage extends AsyncDisposable {
  readonly account: FakeAccount
  readonly gateway: TestGateway
  ask(key: string, path: string, body: object | string): Promise<{ status: number; text: string }>
}

async function stage(): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(await startFakeAccount(refuse))
  const models = ['cheap', 'cheap-too', 'dear']
  const at = (id: string, provider: string, speaks: string[], version: string) => ({
    id,
    provider,
    models,
    speaks,
    baseUrl: `${account.url}${version}`,
  })
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        at('claude', 'anthropic', ['messages'], ''),
        at('open', 'openai', ['chat', 'responses', 'images'], '/v1'),
        at('gemini', 'gemini', ['generate'], ''),
      ] as never,
      aliases: { 'cheap-alias': 'dear' },
      teams: [{ id: 'few', models: ['cheap*', 'dear'] }],
      keys: [
        { id: 'some', secret: 'secret-some', models: ['cheap*'] },
        { id: 'member', secret: 'secret-member', models: ['cheap*'], team: 'few' },
        { id: 'all', secret: 'secret-all' },
      ],
    }),
  )
  const started = starting.move()
  return {
    account,
    gateway,
    async ask(key, path, body) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer secret-${key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

describe.each(rows)('$what of $path', ({ path, body, members, field }) => {
  test('is a model that the key may use', async () => {
    await using scene = await stage()
    for (const name of ['dear', 'no-such-model', 'cheap-alias']) {
      const refused = await scene.ask('some', path, { ...body, ...members(name) })
      expect([name, refused.status]).toEqual([name, 404])
      expect(refused.text).toContain(
        `The model \`${name}\` does not exist or this key may not use it`,
      )
      if (path.startsWith('/v1/chat')) expect(refused.text).toContain(`"param":"${field}"`)
      const ofTeam = await scene.ask('member', path, { ...body, ...members(name) })
      expect([name, ofTeam.status]).toEqual([name, 404])
    }
    expect(scene.account.requests).toHaveLength(0)

    for (const [key, name] of [
      ['some', 'cheap-too'],
      ['all', 'dear'],
    ] as const) {
      const asked = { ...body, ...members(name) }
      await scene.ask(key, path, asked)
      expect(scene.account.requests.at(-1)?.body.toString()).toBe(JSON.stringify(asked))
    }
  })
})

test.each([
  [messages, '"fallbacks":[{"model":"cheap","Model":"dear"}]'],
  [messages, '"fallbacks":[{"mod\\u0065l":"dear"}]'],
  [messages, '"fallbacks":[],"Fallbacks":[{"model":"dear"}]'],
  [messages, '"tools":[{"type":"advisor_20260301","model":"cheap","model":"dear"}]'],
  [chat, '"models":["cheap"],"models":["dear"]'],
  [chat, '"moderation":{"model":"cheap","MODEL":"dear"}'],
  [responses, '"tools":[{"type":"image_generation","svg":{"model":"cheap","model":"dear"}}]'],
  [responses, '"Models":["dear"]'],
])('no other spelling names a model: %o %s', async ({ path, body }, members) => {
  await using scene = await stage()
  const sent = `${JSON.stringify(body).slice(0, -1)},${members}}`
  expect((await scene.ask('some', path, sent)).status).toBe(400)
  expect(scene.account.requests).toHaveLength(0)
})

test.each([
  [chat, (names: string[]) => ({ models: names })],
  [messages, (names: string[]) => ({ tools: names.map(advisor) })],
  [responses, (names: string[]) => ({ tools: names.map(image) })],
])('a request names at most 128 models: %o', async ({ path, body }, members) => {
  await using scene = await stage()
  const names = Array.from({ length: 129 }, (_, index) => `cheap-${index}`)
  await scene.ask('some', path, { ...body, ...members(names.slice(1)) })
  expect(scene.account.requests).toHaveLength(1)
  const refused = await scene.ask('some', path, { ...body, ...members(names) })
  expect([refused.status, refused.text.includes('at most 128 models')]).toEqual([400, true])
  expect(scene.account.requests).toHaveLength(1)
})

test('what names no model is left to the account', async () => {
  await using scene = await stage()
  const tool = { name: 'f', input_schema: { type: 'object', properties: { model: {} } } }
  const asked = { ...messages.body, fallbacks: 'default', tools: [tool], models: null }
  await scene.ask('some', messages.path, asked)
  expect(scene.account.requests.at(-1)?.body.toString()).toBe(JSON.stringify(asked))
})

test('operators see which key asked for a model beyond its scope', async () => {
  await using scene = await stage()
  await scene.ask('some', messages.path, { ...messages.body, fallbacks: [{ model: 'dear' }] })
  const [line] = await scene.gateway.logged(1)
  expect(JSON.stringify(line)).toContain('"key_refused":"scope"')
})
