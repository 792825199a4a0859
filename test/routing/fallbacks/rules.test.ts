import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { callsTo, refusing, serving } from '../../walks/failover/pool.ts'
import { ask } from '../../walks/streams/asking.ts'
import { form } from '../../walks/streams/forms.ts'
import { accountFor } from '../../walks/streams/scripted.ts'
import { explaining, routeOf, startFallback } from './stage.ts'

const { chat, messages, responses } = form
const whole = { model: 'fast', stream: false }

const json = async (response: Response) => (await response.json()) as Record<string, unknown>

describe('a call that belongs to an account', () => {
  test('never falls back', async () => {
    let isUp = true
    await using stage = await startFallback(
      responses,
      (response, request) => (isUp ? serving(responses) : refusing(500))(response, request),
      serving(responses),
    )
    const { id } = await json(await ask(stage.gateway, responses, whole))
    isUp = false
    const chained = { ...whole, fields: { previous_response_id: id } }
    expect((await ask(stage.gateway, responses, chained)).status).toBe(500)
    expect(callsTo(stage.spare)).toEqual([])
  })

  test('never falls back in a conversation that the gateway stores', async () => {
    await using stage = await startFallback(responses, refusing(500), serving(messages), {
      mainForm: messages,
      spareForm: messages,
    })
    const { url, key } = stage.gateway
    const created = await fetch(`${url}/v1/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const { id } = await json(created)
    const going = { ...whole, fields: { conversation: id } }
    expect((await ask(stage.gateway, responses, going)).status).toBe(500)
    expect(callsTo(stage.spare)).toEqual([])
  })

  test('continues with the fallback that has begun it, with its model', async () => {
    let isUp = false
    await using stage = await startFallback(
      responses,
      (response, request) => (isUp ? serving(responses) : refusing(500))(response, request),
      serving(responses),
    )
    const { id } = await json(await ask(stage.gateway, responses, whole))
    isUp = true
    const chained = { ...whole, fields: { previous_response_id: id }, headers: explaining }
    const response = await ask(stage.gateway, responses, chained)
    expect({ status: response.status, route: routeOf(response) }).toMatchObject({
      status: 200,
      route: { rule: 'bindings', account: 'spare', attempts: 1 },
    })
    expect(JSON.parse(callsTo(stage.spare).at(-1)!.body.toString())).toMatchObject({
      model: 'spare',
      previous_response_id: id,
    })
  })

  test('continues with an item that a fallback has made', async () => {
    const itself = { ...responses.reply, output: [{ type: 'message', id: 'msg_own', content: [] }] }
    let isUp = false
    await using stage = await startFallback(
      responses,
      (response, request) => (isUp ? serving(responses) : refusing(500))(response, request),
      answerJson(itself),
    )
    await json(await ask(stage.gateway, responses, whole))
    isUp = true
    const input = [
      { type: 'item_reference', id: 'msg_own' },
      { role: 'user', content: 'go on' },
    ]
    const response = await ask(stage.gateway, responses, { ...whole, fields: { input } })
    expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([200, 'spare'])
  })
})

describe('a key', () => {
  const on = ['unavailable'] as const
  const aliases = { fast: { model: 'main', fallbacks: [{ on: [...on], model: 'spare' }] } }

  test.each([
    ['with the alias in its scope may fall back', ['fast'], 200],
    ['with all models in its scope may fall back', ['main', 'spare'], 200],
    ['with the model alone in its scope may not', ['main'], 500],
  ])('%s', async (_, models, status) => {
    const keys = [{ id: 'test', secret: 'test-secret', models }]
    await using stage = await startFallback(chat, refusing(500), serving(chat), { keys, aliases })
    expect((await ask(stage.gateway, chat, whole)).status).toBe(status)
  })
})

describe('the attempts of all models', () => {
  test.each([
    [1, 500, [1, 0], 0],
    [2, 200, [1, 0], 1],
    [3, 200, [1, 1], 1],
  ])('are at most %i, the last of them for a fallback', async (attempts, status, main, spare) => {
    const limits = { attempts }
    const failing = [refusing(500), refusing(500)]
    await using stage = await startFallback(chat, failing, serving(chat), { limits })
    expect((await ask(stage.gateway, chat, whole)).status).toBe(status)
    expect(stage.main.map((one) => callsTo(one).length)).toEqual(main)
    expect(callsTo(stage.spare)).toHaveLength(spare)
  })

  test('are all for the accounts of a model whose failures have no fallback', async () => {
    const options = { limits: { attempts: 2 }, on: ['context_length'] as const }
    const failing = [refusing(500), serving(chat)]
    await using stage = await startFallback(chat, failing, serving(chat), options)
    expect((await ask(stage.gateway, chat, whole)).status).toBe(200)
  })
})

test('a client whose fallbacks fail too gets the error of the model that it asked for', async () => {
  const options = { on: ['rate_limited'] as const }
  await using stage = await startFallback(
    chat,
    refusing(429, { 'retry-after': '7' }),
    refusing(500),
    options,
  )
  const response = await ask(stage.gateway, chat, { ...whole, headers: explaining })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
  expect(routeOf(response)).toMatchObject({ account: 'spare', attempts: 2 })
})

test('fallbacks are asked in their order, each for its kinds, and each once', async () => {
  await using long = await startFakeAccount(answerJson({ error: {} }, { status: 500 }))
  await using main = await startFakeAccount(refusing(503))
  await using spare = await startFakeAccount(refusing(429))
  await using last = await startFakeAccount(serving(chat))
  const account = (id: string, url: string) => accountFor(chat, id, url, { models: [id] })
  await using gateway = await createTestGateway({
    keys: [{ id: 'test', secret: 'test-secret', explain: true }],
    accounts: [
      account('long', long.url),
      account('main', main.url),
      account('spare', spare.url),
      account('last', last.url),
    ],
    aliases: {
      fast: {
        model: 'main',
        fallbacks: [
          { on: ['context_length'], model: 'long' },
          { on: ['unavailable'], model: 'spare' },
          { on: ['rate_limited'], model: 'again' },
          { on: ['unavailable'], model: 'last' },
        ],
      },
      again: 'spare',
    },
  })
  const response = await ask(gateway, chat, { ...whole, headers: explaining })
  expect(routeOf(response)).toMatchObject({
    account: 'last',
    fallbacks: [
      { model: 'main', next: 'spare', on: 'unavailable', error: 'upstream_rejected' },
      { model: 'spare', next: 'last', on: 'unavailable', error: 'upstream_rejected' },
    ],
  })
  expect([long, main, spare, last].map((one) => callsTo(one).length)).toEqual([0, 1, 1, 1])
})

test('replies name the model by the rules of replyModel', async () => {
  for (const [replyModel, name] of [
    ['client', 'fast'],
    ['account', 'm'],
  ] as const) {
    const fallbacks = [{ on: ['unavailable' as const], model: 'spare' }]
    await using stage = await startFallback(chat, refusing(500), serving(chat), {
      aliases: { fast: { model: 'main', replyModel, fallbacks } },
    })
    expect(await json(await ask(stage.gateway, chat, whole))).toHaveProperty('model', name)
    expect(JSON.parse(callsTo(stage.spare)[0]!.body.toString())).toHaveProperty('model', 'spare')
  }
})

test('a model has fallbacks of its own under its own name, which its aliases share', async () => {
  const fallbacks = [{ on: ['unavailable' as const], model: 'spare' }]
  await using stage = await startFallback(chat, refusing(500), serving(chat), {
    aliases: { main: { model: 'main', fallbacks }, quick: 'main' },
  })
  for (const model of ['main', 'quick']) {
    const response = await ask(stage.gateway, chat, { ...whole, model })
    expect(response.headers.get('x-dragoman-account')).toBe('spare')
  }
})

test('an alias without fallbacks has those of the alias that it names, and an empty list ends them', async () => {
  const fallbacks = [{ on: ['unavailable' as const], model: 'spare' }]
  await using stage = await startFallback(chat, refusing(500), serving(chat), {
    aliases: {
      fast: { model: 'main', fallbacks },
      quick: { model: 'fast', replyModel: 'client' },
      alone: { model: 'fast', fallbacks: [] },
    },
  })
  expect((await ask(stage.gateway, chat, { ...whole, model: 'quick' })).status).toBe(200)
  expect((await ask(stage.gateway, chat, { ...whole, model: 'alone' })).status).toBe(500)
})

test('tokens are counted for the model of the alias alone', async () => {
  await using stage = await startFallback(messages, refusing(500), answerJson({ input_tokens: 1 }))
  const response = await fetch(`${stage.gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      'x-api-key': stage.gateway.key,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(response.status).toBe(500)
  expect(callsTo(stage.spare)).toEqual([])
})

test('a plugin is asked about each model, and its refusal of one may have a fallback', async () => {
  const seen: string[] = []
  const strict = definePlugin({
    name: 'strict',
    onCall({ exchange, next }) {
      seen.push(exchange.model.name)
      if (exchange.model.name === 'main') throw new GatewayError('rate_limited', 'Enough of it.')
      return next()
    },
  })
  await using stage = await startFallback(chat, serving(chat), serving(chat), {
    on: ['rate_limited'],
    plugins: [strict],
  })
  const response = await ask(stage.gateway, chat, { ...whole, headers: explaining })
  expect(routeOf(response)).toMatchObject({ account: 'spare', attempts: 1 })
  expect(seen).toEqual(['main', 'spare'])
  expect(callsTo(stage.main[0]!)).toEqual([])
})

test('an operator sees fallbacks in the access log, and what a dry run would do', async () => {
  const resting = refusing(429, { 'retry-after': '60' })
  await using stage = await startFallback(chat, resting, serving(chat), {
    on: ['rate_limited'],
    admin: true,
  })
  await ask(stage.gateway, chat, whole)
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({
    model_requested: 'fast',
    model_resolved: 'spare',
    account: 'spare',
    fallbacks: [{ model: 'main', next: 'spare', on: 'rate_limited', error: 'upstream_rejected' }],
    attempted: [
      { account: 'main-0', model: 'main', status: 429 },
      { account: 'spare', model: 'spare', status: 200 },
    ],
  })
  const { data } = await stage.gateway.admin!.ask(`{
    explain(input: { keyId: "test", dialect: "chat", model: "fast" }) {
      resolvedModel rule chosen { accountId }
      fallbacks { model next on error excluded { accountId by } }
    }
  }`)
  expect(data).toEqual({
    explain: {
      resolvedModel: 'spare',
      rule: 'priority and weight',
      chosen: { accountId: 'spare' },
      fallbacks: [
        {
          model: 'main',
          next: 'spare',
          on: 'RATE_LIMITED',
          error: 'rate_limited',
          excluded: [{ accountId: 'main-0', by: 'account-health' }],
        },
      ],
    },
  })
})
