import { expect, test } from 'vitest'

import { type FakeAccount, answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface Account {
  readonly id: string
  readonly state: string
  readonly serves: string
  readonly stateReason: string | null
  readonly stateUntil: string | null
  readonly exclusions: readonly {
    readonly kind: string
    readonly model: string | null
    readonly models: readonly string[]
    readonly isPartial: boolean
    readonly failures: readonly { at: string; cause: string; exchangeId: string | null }[]
  }[]
}

const selects = `id state serves stateReason stateUntil
  exclusions { kind model models isPartial failures { at cause exchangeId } }`

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** An upstream that does as the name of a model says. */
function startUpstream(): Promise<FakeAccount> {
  return startFakeAccount((response, request) => {
    const { model = '' } = JSON.parse(request.body.toString() || '{}') as { model?: string }
    const { authorization } = request.headers
    const error = { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' }
    if (authorization === 'Bearer refused') {
      return answerJson({ error }, { status: 401 })(response, request)
    }
    if (model.startsWith('busy')) {
      const headers = { 'retry-after': '300' }
      return answerJson({ error: { message: 'no' } }, { status: 429, headers })(response, request)
    }
    if (model.startsWith('broken')) {
      return answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
    }
    return answerJson(completion)(response, request)
  })
}

const keys = ['one', 'two'].map((id) => ({ id, secret: `secret-of-${id}` }))

const account = <More extends object>(id: string, { url }: FakeAccount, more: More) => ({
  id,
  provider: 'openai',
  baseUrl: url,
  apiKey: id,
  speaks: ['chat'],
  ...more,
})

/** Calls a model with both keys in turn. */
async function call({ url }: AdminGateway, model: string, calls = 1): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < calls; number++) {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys[number % keys.length]!.secret}`,
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await reply.text()
    ids.push(reply.headers.get('x-request-id')!)
  }
  return ids
}

async function accountsOf(gateway: AdminGateway, filter: object = {}): Promise<Account[]> {
  const { data, errors } = await gateway.graph<{ accounts: Page<Account> }>(
    `query ($filter: AccountFilter) { accounts(filter: $filter) { edges { node { ${selects} } } } }`,
    { filter },
    'viewer',
  )
  expect(errors).toEqual([])
  return nodesOf(data.accounts)
}

test('a pause of one model does not make an account look as if it served nothing', async () => {
  await using upstream = await startUpstream()
  const models = { pro: 'fine', flash: 'busy-1', 'f-*': 'busy-*' }
  await using gateway = await startAdminGateway({
    keys,
    accounts: [account('a', upstream, { models }), account('b', upstream, { models: ['other'] })],
  })
  await call(gateway, 'flash')
  await call(gateway, 'pro')
  const [found] = await accountsOf(gateway, { serves: 'SOME' })
  expect(found).toMatchObject({
    id: 'a',
    state: 'ENABLED',
    serves: 'SOME',
    stateReason: 'model busy-1: cooling down: a call got 429',
    exclusions: [{ kind: 'COOLING', model: 'busy-1', models: ['flash', 'f-1'] }],
  })
  const ids = async (filter: object) => (await accountsOf(gateway, filter)).map(({ id }) => id)
  expect(await ids({ state: 'ENABLED' })).toEqual(['a', 'b'])
  expect(await ids({ serves: 'ALL' })).toEqual(['b'])
  expect(await ids({ serves: 'NOTHING' })).toEqual([])
})

test.each([
  { speaks: ['chat'] },
  // What answers no chats does not stand in for them.
  { speaks: ['chat', 'completions', 'embeddings', 'images', 'files'] },
])('an account of $speaks whose every model is out serves nothing, and says why', async (more) => {
  await using upstream = await startUpstream()
  await using gateway = await startAdminGateway({
    keys,
    accounts: [account('a', upstream, { models: ['busy'], ...more })],
  })
  await call(gateway, 'busy')
  expect(await accountsOf(gateway)).toMatchObject([
    { state: 'COOLING', serves: 'NOTHING', stateUntil: expect.any(String) as string },
  ])
})

test('an account that is refused or disabled serves nothing', async () => {
  await using upstream = await startUpstream()
  await using gateway = await startAdminGateway({
    keys,
    accounts: [
      account('off', upstream, { models: ['m'], enabled: false }),
      account('refused', upstream, { models: ['n'] }),
    ],
  })
  await call(gateway, 'n')
  await until(async () => (await accountsOf(gateway))[1]!.exclusions.length > 0)
  expect(await accountsOf(gateway, { serves: 'NOTHING' })).toMatchObject([
    { id: 'off', state: 'DISABLED' },
    { id: 'refused', state: 'REFUSED' },
  ])
})

test('a circuit of the only spoken dialect is nothing, of one among others it is some', async () => {
  await using upstream = await startUpstream()
  const away = { ...upstream, url: 'http://127.0.0.1:9' }
  await using gateway = await startAdminGateway({
    keys,
    accounts: [
      account('both', away, { models: ['m'], speaks: ['chat', 'responses'] }),
      account('only', away, { models: ['n'] }),
    ],
  })
  await call(gateway, 'm', 5)
  await call(gateway, 'n', 5)
  expect(await accountsOf(gateway)).toMatchObject([
    { id: 'both', state: 'ENABLED', serves: 'SOME' },
    { id: 'only', state: 'CIRCUIT_OPEN', serves: 'NOTHING' },
  ])
})

test('an open circuit names the last calls that failed', async () => {
  await using upstream = await startUpstream()
  await using gateway = await startAdminGateway({
    keys,
    accounts: [account('a', upstream, { models: ['broken'] })],
  })
  const ids = await call(gateway, 'broken', 6)
  const [found] = await accountsOf(gateway)
  expect(found).toMatchObject({ state: 'CIRCUIT_OPEN', serves: 'NOTHING' })
  const [circuit] = found!.exclusions
  expect(circuit!.failures.map(({ cause }) => cause)).toEqual(Array(3).fill('got 500'))
  for (const { exchangeId } of circuit!.failures) expect(ids).toContain(exchangeId)
  for (const { at } of circuit!.failures) expect(Date.now() - Date.parse(at)).toBeLessThan(60_000)
})

test('calls with images that fail leave the model to the others', async () => {
  await using upstream = await startFakeAccount((response, request) =>
    request.body.includes('image_url')
      ? answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
      : answerJson(completion)(response, request),
  )
  await using gateway = await startAdminGateway({
    keys,
    accounts: [account('a', upstream, { models: ['m'] })],
  })
  for (let number = 0; number < 6; number++) {
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys[number % 2]!.secret}`,
      },
      body: JSON.stringify({
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
          },
        ],
      }),
    }).then((reply) => reply.text())
  }
  expect(await accountsOf(gateway)).toMatchObject([
    { state: 'ENABLED', serves: 'SOME', exclusions: [{ kind: 'CIRCUIT', isPartial: true }] },
  ])
})

test('a full account serves all that it can', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await using upstream = await startFakeAccount(async (response, request) => {
    await held
    return answerJson(completion)(response, request)
  })
  await using gateway = await startAdminGateway({
    keys,
    accounts: [account('a', upstream, { models: ['m'], maxConcurrent: 1 })],
  })
  const running = call(gateway, 'm')
  await until(async () => (await accountsOf(gateway))[0]!.state !== 'ENABLED')
  expect(await accountsOf(gateway)).toMatchObject([{ state: 'FULL', serves: 'ALL' }])
  release()
  await running
})
