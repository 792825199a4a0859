import { request } from 'node:http'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { openStore } from '../../src/stores/open.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { type Asked, explain, send, startScene, tryExplain } from './explaining.ts'
import { startAdminGateway } from './admin-gateway.ts'

const model = 'sandbox/echo'
const chat = {
  path: '/v1/chat/completions',
  body: { model, messages: [{ role: 'user', content: 'hi' }] },
}

/** What each dialect asks for when only a model is given. */
const usual = {
  responses: 'responses.create',
  chat: 'chat.create',
  messages: 'messages.create',
  generate: 'generate.create',
  images: 'images.generate',
  videos: 'videos.create',
  'video-operations': 'operations.create',
}

test('every dialect that chooses accounts is explained from a model alone', async () => {
  await using scene = await startScene({
    one: { speaks: Object.keys(usual) },
  })
  for (const [dialect, operation] of Object.entries(usual)) {
    const explained = await explain(scene.gateway, { dialect, model })
    expect(explained, dialect).toMatchObject({
      operation,
      resolvedModel: model,
      rule: 'priority and weight',
      candidates: [{ accountId: 'one', native: true, dialect, chance: 1 }],
      excluded: [],
      chosen: { accountId: 'one', native: true },
      losses: [],
      answer: null,
    })
  }
})

test('every operation with a least request passes the checks of its dialect', async () => {
  await using scene = await startScene({ one: { speaks: Object.keys(usual) } })
  const operations = [
    ['responses', 'responses.input_tokens'],
    ['responses', 'responses.compact'],
    ['messages', 'messages.count_tokens'],
    ['generate', 'generate.stream'],
    ['generate', 'generate.count_tokens'],
    ['images', 'images.edit'],
    ['responses', 'conversations.create'],
  ] as const
  for (const [dialect, operation] of operations) {
    const explained = await explain(scene.gateway, { dialect, operation, model })
    expect(explained, operation).toMatchObject({
      operation,
      chosen: { accountId: 'one' },
      answer: null,
    })
  }
})

test('each operation that the list names is explained, and the list says which one a dialect means', async () => {
  await using scene = await startScene({ one: { speaks: Object.keys(usual) } })
  const { data } = await scene.gateway.graph<{ explainable: readonly Listed[] }>(
    '{ explainable { dialect operation summary isUsual needsId } }',
    {},
    'viewer',
  )
  for (const { dialect, operation, needsId } of data.explainable) {
    const id = 'resp_0123456789abcdef'
    const asked = { dialect, operation, model, ...(needsId && { id }) }
    const { errors } = await tryExplain(scene.gateway, asked)
    expect(errors, operation).toEqual([])
  }
  const meant = data.explainable.filter(({ isUsual }) => isUsual)
  expect(meant).toEqual(
    expect.arrayContaining(
      Object.entries(usual).map(
        ([dialect, operation]) => expect.objectContaining({ dialect, operation }) as object,
      ),
    ),
  )
  const dialects = data.explainable.map(({ dialect }) => dialect)
  expect(meant.map(({ dialect }) => dialect)).toEqual([...new Set(dialects)])
  expect(dialects).toEqual(
    expect.arrayContaining(['embeddings', 'rerank', 'moderations', 'completions', 'audio']),
  )
})

test('a batch of messages is explained by its body alone', async () => {
  await using scene = await startScene({ one: { speaks: ['messages', 'message-batches'] } })
  const params = { model, max_tokens: 8, messages: [{ role: 'user', content: 'hi' }] }
  const body = { requests: [{ custom_id: 'a', params }] }
  const explained = await explain(scene.gateway, { dialect: 'message-batches', body })
  expect(explained).toMatchObject({ chosen: { accountId: 'one' }, answer: null })
})

interface Listed {
  readonly dialect: string
  readonly operation: string
  readonly isUsual: boolean
  readonly needsId: boolean
}

test('an explanation sends nothing, and leaves no trace in logs', async () => {
  await using upstream = await startFakeAccount((response) => void response.writeHead(500).end())
  await using gateway = await startAdminGateway({
    accounts: [
      { id: 'one', provider: 'openai', baseUrl: upstream.url, apiKey: 'k', models: ['m'] },
      { id: 'two', provider: 'anthropic', baseUrl: upstream.url, apiKey: 'k', models: ['m'] },
    ],
  })
  for (const dialect of ['chat', 'messages', 'generate', 'responses']) {
    expect((await explain(gateway, { dialect, model: 'm' })).chosen).not.toBeNull()
  }
  expect(upstream.requests).toEqual([])
  expect(gateway.accessLog).toEqual([])
  expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([])
  expect(gateway.running.gateway.inflight()).toBe(0)
  expect(gateway.running.gateway.held()).toBe(0)
})

test('hooks that count or reply do not run, and those that judge know that it is a dry run', async () => {
  const ran: string[] = []
  const note = (name: string) => () => void ran.push(name)
  const watcher = definePlugin({
    name: 'watcher',
    onExchange: ({ next }) => (ran.push('onExchange'), next()),
    onCall: ({ next }) => (ran.push('onCall'), next()),
    onAttempt: ({ next }) => (ran.push('onAttempt'), next()),
    onCandidates: ({ exchange }) => void ran.push(`onCandidates ${exchange.isDryRun}`),
    onOutcome: note('onOutcome'),
    onProduced: note('onProduced'),
    onEnd: note('onEnd'),
  })
  await using scene = await startScene({ one: { speaks: ['chat'] } }, { plugins: [watcher] })
  await explain(scene.gateway, { dialect: 'chat', model })
  await explain(scene.gateway, { dialect: 'responses', operation: 'conversations.create' })
  expect(ran).toEqual(['onCandidates true', 'onCandidates true'])
  await send(scene.gateway, chat)
  expect(ran).toContain('onCandidates false')
})

test('a chained request goes to the account of its response, and its answer is the contract where that is away', async () => {
  const accounts = { one: { speaks: ['responses'] }, two: { speaks: ['responses'] } }
  await using scene = await startScene(accounts)
  const { gateway } = scene
  const first = await send(gateway, { path: '/v1/responses', body: { model, input: 'hi' } })
  const owner = first.account!
  const other = owner === 'one' ? 'two' : 'one'
  const chained = { dialect: 'responses', model, previousResponseId: first.json.id! }
  expect(await explain(gateway, chained)).toMatchObject({
    rule: 'bindings',
    pinned: true,
    candidates: [{ accountId: owner, chance: 1 }],
    chosen: { accountId: owner },
    excluded: [{ accountId: other, by: 'bindings', reason: 'the call belongs to another account' }],
    answer: null,
  })
  const disable = `mutation ($id: ID!) { disableAccount(input: {id: $id, reason: "x"}) { __typename } }`
  await gateway.graph(disable, { id: owner }, 'operator')
  await expect
    .poll(() => explain(gateway, chained), { timeout: 5_000 })
    .toMatchObject({
      chosen: null,
      pinned: true,
      answer: {
        status: 503,
        code: 'previous_response_account_unavailable',
        message: 'The account that produced the previous response cannot be used: it is disabled.',
      },
    })
  expect((await explain(gateway, { dialect: 'responses', model: 'unheard-of' })).pinned).toBe(false)
  const foreign = { ...chained, previousResponseId: 'resp_unknown' }
  expect((await explain(gateway, foreign)).answer).toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
  })
})

test('the scope of the key applies, and a key that is not valid gets its 401', async () => {
  await using scene = await startScene(
    { one: { speaks: ['chat'] } },
    {
      keys: [
        { id: 'narrow', secret: 'narrow-secret', models: ['sandbox/tool'] },
        { id: 'off', secret: 'off-secret', disabled: true },
        { id: 'old', secret: 'old-secret', expiresAt: '2020-01-01T00:00:00Z' },
      ],
    },
  )
  const ask = (keyId: string) => explain(scene.gateway, { keyId, dialect: 'chat', model })
  expect((await ask('narrow')).answer).toMatchObject({ status: 404, code: 'model_not_found' })
  const refused = { status: 401, code: 'unauthenticated', message: 'The API key is not valid.' }
  expect((await ask('off')).answer).toMatchObject(refused)
  expect((await ask('old')).answer).toMatchObject(refused)
  const unknown = await tryExplain(scene.gateway, { keyId: 'nobody', dialect: 'chat', model })
  expect(unknown.errors[0]).toMatchObject({
    message: 'There is no key `nobody`: `keys list` shows all.',
    extensions: { code: 'BAD_USER_INPUT' },
  })
})

test('the policy of the key decides what a translation may lose', async () => {
  await using scene = await startScene(
    { foreign: { speaks: ['messages'] } },
    {
      keys: [
        { id: 'test', secret: 'test-secret' },
        { id: 'strict', secret: 'strict-secret', losses: 'reject' },
      ],
    },
  )
  const body = { ...chat.body, seed: 7 }
  const asked = { dialect: 'chat', body }
  expect(await explain(scene.gateway, asked)).toMatchObject({
    chosen: { accountId: 'foreign', native: false },
    losses: [{ field: 'seed' }],
  })
  const strict = await explain(scene.gateway, { ...asked, keyId: 'strict' })
  expect(strict).toMatchObject({
    chosen: null,
    candidates: [],
    excluded: [{ accountId: 'foreign', by: 'translation', field: 'seed' }],
    losses: [],
    answer: { status: 400, code: 'invalid_value' },
  })
})

test('a probe of a half-open circuit stays free for a call', async () => {
  let isBroken = true
  const reply = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
  }
  await using upstream = await startFakeAccount((response) => {
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isBroken ? { error: { message: 'x' } } : reply))
  })
  let time = Date.now()
  await using gateway = await startAdminGateway({
    keys: [{ id: 'test', secret: 'test-secret', explain: true }],
    accounts: [
      { id: 'one', provider: 'openai-compatible', baseUrl: `${upstream.url}/v1`, models: ['m'] },
    ],
    now: () => time,
  })
  const call = { path: chat.path, body: { ...chat.body, model: 'm' } }
  for (let count = 0; count < 6; count++) await send(gateway, call)
  expect((await explain(gateway, { dialect: 'chat', model: 'm' })).answer).toMatchObject({
    status: 503,
    code: 'no_account_available',
  })
  time += 3_600_000
  isBroken = false
  for (let count = 0; count < 3; count++) {
    const { chosen } = await explain(gateway, { dialect: 'chat', model: 'm' })
    expect(chosen).toMatchObject({ accountId: 'one' })
  }
  expect((await send(gateway, call)).status).toBe(200)
})

test('a conversation that could still move stays where it is', async () => {
  const accounts = {
    one: { speaks: ['responses'], models: ['sandbox/echo'] },
    two: { speaks: ['responses'], models: ['sandbox/tool'] },
  }
  await using scene = await startScene(accounts)
  const { gateway } = scene
  const { json, account } = await send(gateway, { path: '/v1/conversations', body: {} })
  const away = account === 'one' ? 'sandbox/tool' : 'sandbox/echo'
  const home = account === 'one' ? 'sandbox/echo' : 'sandbox/tool'
  const ask = (wanted: string) =>
    explain(gateway, {
      dialect: 'responses',
      body: { model: wanted, input: 'hi', conversation: json.id },
    })
  expect(await ask(home)).toMatchObject({ chosen: { accountId: account }, moves: false })
  expect(await ask(away)).toMatchObject({ moves: true, answer: null })
  // Neither explanation has ended the time in which it can move, nor moved it.
  expect(await ask(home)).toMatchObject({ chosen: { accountId: account }, moves: false })
  const moved = await send(gateway, {
    path: '/v1/responses',
    body: { model: away, input: 'hi', conversation: json.id },
  })
  expect(moved).toMatchObject({ status: 200, account: account === 'one' ? 'two' : 'one' })
})

test('a resource that the gateway stores is neither changed nor deleted', async () => {
  await using scene = await startScene({ one: { speaks: ['messages'] } })
  const { gateway } = scene
  const { json } = await send(gateway, { path: '/v1/responses', body: { model, input: 'hi' } })
  const deletion = { dialect: 'responses', operation: 'responses.delete', id: json.id! }
  expect(await explain(gateway, deletion)).toMatchObject({
    chosen: null,
    answer: { status: 200, code: null },
  })
  const chained = { dialect: 'responses', model, previousResponseId: json.id! }
  expect(await explain(gateway, chained)).toMatchObject({ chosen: { accountId: 'one' } })
  const created = await explain(gateway, {
    dialect: 'responses',
    operation: 'conversations.create',
  })
  expect(created).toMatchObject({ chosen: null, answer: { status: 200 } })
})

test('a store that is away is not "not found"', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  const failing = () => Promise.reject(new Error('away'))
  let isAway = false
  const breakable = {
    ...store,
    records: ((namespace: string, options) => {
      const records = store.records(namespace, options)
      if (namespace !== 'bindings') return records
      return { ...records, get: (id: string) => (isAway ? failing() : records.get(id)) }
    }) as typeof store.records,
  }
  await using gateway = await startAdminGateway({
    store: breakable,
    accounts: [
      { id: 'one', provider: 'openai', baseUrl: 'http://127.0.0.1:9', apiKey: 'k', models: ['m'] },
    ],
  })
  isAway = true
  const asked = { dialect: 'responses', model: 'm', previousResponseId: 'resp_1' }
  expect((await explain(gateway, asked)).answer).toMatchObject({
    status: 503,
    code: 'previous_response_lookup_unavailable',
  })
})

test('hostile bodies meet the limits of a call', async () => {
  await using scene = await startScene({ one: { speaks: ['chat'] } })
  const { gateway } = scene
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`
  const asText = `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"x":${deep}}`
  const asked = [asText, JSON.parse(asText) as unknown]
  for (const body of asked) {
    expect((await explain(gateway, { dialect: 'chat', body })).answer).toMatchObject({
      status: 400,
      code: 'invalid_json',
      message: 'The request body is nested more than 200 levels deep.',
    })
  }
  const bottomless = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown
  const { answer: refusal } = await explain(gateway, {
    dialect: 'chat',
    model,
    body: { x: bottomless },
  })
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_json' })
  const twice = `{"model":"${model}","model":"other","messages":[{"role":"user","content":"hi"}]}`
  expect((await explain(gateway, { dialect: 'chat', body: twice })).answer).toMatchObject({
    status: 400,
  })
  for (const body of ['', '[]', '{', 7, [], 'null', null]) {
    const { answer, chosen } = await explain(gateway, { dialect: 'chat', body })
    expect([answer?.status, chosen]).toEqual([400, null])
  }
})

test('inputs of which no request can be made are named', async () => {
  await using scene = await startScene({ one: { speaks: ['chat', 'generate'] } })
  const rows = [
    [{ dialect: 'chatt', model }, 'No dialect `chatt` chooses accounts. Did you mean `chat`?'],
    [{ dialect: 'chat', operation: 'chat.creat', model }, /Did you mean `chat.create`/],
    [{ dialect: 'generate' }, 'The path of this operation needs `model`.'],
    [{ dialect: 'chat', model, previousResponseId: 'r' }, /continues no response/],
    [
      { dialect: 'chat', model, headers: [{ name: 'Authorization', value: 'x' }] },
      /cannot be given/,
    ],
    [{ dialect: 'chat', model, headers: [{ name: 'a\nb', value: 'x' }] }, /cannot be given/],
    [
      { dialect: 'chat', model, headers: [{ name: 'content-type', value: 'multipart/form-data' }] },
      /cannot be given/,
    ],
  ] as const
  for (const [input, message] of rows) {
    const { errors } = await tryExplain(scene.gateway, input)
    expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  }
})

test('an id that no path or message holds has the answer of a call, to the letter', async () => {
  await using scene = await startScene({ one: { speaks: ['responses', 'generate'] } })
  const { gateway } = scene
  const { url, key } = gateway
  const real = (path: string, body?: object) =>
    new Promise<object>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      request(`${url}/`, { method: body ? 'POST' : 'GET', path, headers }, (response) => {
        void text(response).then((read) => {
          const { error } = JSON.parse(read) as { error: { message: string } }
          resolve({ status: response.statusCode, message: error.message })
        }, reject)
      })
        .on('error', reject)
        .end(body && JSON.stringify(body))
    })
  const told = async (asked: Asked) => {
    const { answer } = await explain(gateway, asked)
    return { status: answer?.status, message: answer?.message }
  }
  const long = 'x'.repeat(3_000)
  for (const id of [
    'resp_none',
    long,
    'a/b',
    'a%2Fb',
    '..',
    '.',
    'a?b',
    'a#b',
    ' ',
    '\u{0}',
    '\ud800',
    'é',
  ]) {
    const path = `/v1/responses/${encodeURIComponent(id.toWellFormed())}`
    const asked = { dialect: 'responses', operation: 'responses.retrieve', id }
    expect([id, await told(asked)]).toEqual([id, await real(path)])
  }
  const chained = { model, input: 'x', previous_response_id: long }
  expect(await told({ dialect: 'responses', body: chained })).toEqual(
    await real('/v1/responses', chained),
  )
  for (const name of ['../x', 'a//b', long, 'no/one', '.']) {
    const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }
    const path = `/v1beta/models/${name}:generateContent`
    const asked = { dialect: 'generate', model: name, body }
    expect([name, await told(asked)]).toEqual([name, await real(path, body)])
  }
})

test('a file that a call would fetch is not fetched', async () => {
  await using scene = await startScene({ one: { speaks: ['generate'] } })
  const ask = (url: string) => {
    const content = [{ type: 'image_url', image_url: { url } }]
    const body = { messages: [{ role: 'user', content }] }
    return explain(scene.gateway, { dialect: 'chat', model, body })
  }
  // A real fetch would fail, since the name does not resolve.
  expect(await ask('https://media.invalid/picture.png')).toMatchObject({
    chosen: { accountId: 'one', native: false },
    answer: null,
  })
  expect((await ask('http://media.invalid/picture.png')).answer).toMatchObject({ status: 400 })
})

test('a remix is explained from the last known state of its source, without a poll', async () => {
  let status = 'queued'
  await using upstream = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const job = { id: 'video_1', object: 'video', model: 'm', status, created_at: 1, progress: 0 }
    response.end(JSON.stringify({ ...job, seconds: '4', size: '720x1280' }))
  })
  await using gateway = await startAdminGateway({
    accounts: [
      {
        id: 'one',
        provider: 'openai',
        baseUrl: upstream.url,
        apiKey: 'k',
        models: ['m'],
        speaks: ['videos'],
      },
    ],
  })
  const create = () => send(gateway, { path: '/v1/videos', body: { model: 'm', prompt: 'a cat' } })
  const waiting = await create()
  status = 'completed'
  const complete = await create()
  const ask = (id: string) => explain(gateway, { dialect: 'videos', operation: 'videos.remix', id })
  expect(await ask(complete.json.id!)).toMatchObject({
    rule: 'jobs',
    chosen: { accountId: 'one' },
    answer: null,
  })
  const { answer } = await ask(waiting.json.id!)
  expect(answer?.status).toBe(400)
  expect(upstream.requests.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

test('an account that waits for its free call is not called for an explanation', async () => {
  let time = Date.now()
  const calls: string[] = []
  await using upstream = await startFakeAccount((response, { method }) => {
    calls.push(method)
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'no', code: 'invalid_api_key' } }))
  })
  await using gateway = await startAdminGateway({
    accounts: [
      {
        id: 'one',
        provider: 'openai',
        baseUrl: `${upstream.url}/v1`,
        apiKey: 'k',
        models: ['m'],
      },
    ],
    now: () => time,
  })
  await send(gateway, { path: chat.path, body: { ...chat.body, model: 'm' } })
  const excluded = [{ accountId: 'one', by: 'account-health' }]
  await expect
    .poll(() => explain(gateway, { dialect: 'chat', model: 'm' }))
    .toMatchObject({ excluded })
  const before = calls.length
  time += 3_600_000
  expect(await explain(gateway, { dialect: 'chat', model: 'm' })).toMatchObject({ excluded })
  // A free call would have arrived before these.
  for (let count = 0; count < 10; count++) await fetch(upstream.url, { method: 'HEAD' })
  expect(calls.filter((method) => method !== 'HEAD')).toHaveLength(before)
  // A call makes it.
  await send(gateway, { path: chat.path, body: { ...chat.body, model: 'm' } })
  const counted = () => calls.filter((method) => method !== 'HEAD').length
  await expect.poll(counted).toBeGreaterThan(before)
})

test('a hook that never ends holds up its own explanation only', async () => {
  const hanging = definePlugin({
    name: 'hanging',
    onCandidates: ({ exchange }) =>
      exchange.request.headers['x-hang'] === undefined ? undefined : new Promise(() => {}),
  })
  await using scene = await startScene({ one: { speaks: ['chat'] } }, { plugins: [hanging] })
  const { explain: dryRun } = scene.gateway.running.gateway
  const request = {
    method: 'POST',
    path: chat.path,
    body: Buffer.from(JSON.stringify(chat.body)),
    caller: { keyId: 'test', mayUse: () => true },
  }
  const leaving = new AbortController()
  const hung = ['1', '2', '3'].map((value) =>
    dryRun({ ...request, headers: { 'x-hang': value }, signal: leaving.signal }),
  )
  const settled = Promise.allSettled(hung)
  leaving.abort(new Error('too late'))
  expect(await settled).toMatchObject([1, 2, 3].map(() => ({ reason: { message: 'too late' } })))
  expect(await explain(scene.gateway, { dialect: 'chat', model })).toMatchObject({
    chosen: { accountId: 'one' },
  })
})

test('a body in text gets the model and the response that it lacks, and keeps those that it has', async () => {
  await using scene = await startScene({ one: { speaks: ['responses'] } })
  const { gateway } = scene
  const first = await send(gateway, { path: '/v1/responses', body: { model, input: 'hi' } })
  const asked = { dialect: 'responses', model, previousResponseId: 'resp_unknown' }
  const code = async (body: unknown) => (await explain(gateway, { ...asked, body })).answer?.code
  for (const body of [' {"input": "on"} ', '{"input":"{$&"}']) {
    expect([body, await code(body)]).toEqual([body, 'previous_response_not_found'])
  }
  expect(await code('{}')).toBe(await code({}))
  const own = { input: 'on', previous_response_id: first.json.id }
  expect(await code(JSON.stringify(own))).toBeUndefined()
  const unheard = JSON.stringify({ input: 'on', model: 'unheard-of' })
  const { answer } = await explain(gateway, { dialect: 'responses', model, body: unheard })
  expect(answer?.code).toBe('model_not_found')
  for (const body of ['', 'no JSON', '[]', '7', [], 7]) {
    const { errors } = await tryExplain(gateway, { dialect: 'responses', model, body })
    expect([body, errors[0]?.extensions?.code]).toEqual([body, 'BAD_USER_INPUT'])
    expect(errors[0]?.message).toContain('The body is no JSON object')
    // Without members to add, a call gets the same answer.
    const bare = await explain(gateway, { dialect: 'responses', body })
    expect(bare.answer?.status).toBe(400)
  }
})
