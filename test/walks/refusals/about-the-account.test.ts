import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type Answer, answerStream } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { callsTo, refusing, serving, startPool } from '../failover/pool.ts'
import { startMixed } from '../losses/mixed.ts'
import { type Form, form, forms } from '../streams/forms.ts'
import { answering, askAs, keys, listing, oddly, refusingOdd } from './keys.ts'

const { chat, generate, messages, responses } = form

const invalidKey = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
  },
}

interface Dead {
  readonly what: string
  readonly form: Form
  readonly refusal: Answer
  readonly secret: RegExp
}

/** What providers answer, in calls and lists of models alike, to a key that is dead. */
const dead: readonly Dead[] = [
  {
    what: 'an invalid key of Gemini, with status 400',
    form: generate,
    refusal: answering(400, invalidKey),
    secret: /API key not valid/,
  },
  {
    what: 'a suspended project of Gemini, with status 403',
    form: generate,
    refusal: answering(403, {
      error: { code: 403, message: 'suspended', details: [{ reason: 'CONSUMER_SUSPENDED' }] },
    }),
    secret: /suspended/,
  },
  {
    what: 'an unknown key of OpenAI',
    form: responses,
    refusal: answering(401, { error: { message: 'Incorrect key.', code: 'invalid_api_key' } }),
    secret: /Incorrect/,
  },
  {
    what: 'a spent balance of OpenAI, with status 429',
    form: chat,
    refusal: answering(429, { error: { message: 'No quota.', code: 'insufficient_quota' } }),
    secret: /quota/,
  },
  {
    what: 'a spent balance of Anthropic, with status 400',
    form: messages,
    refusal: answering(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access.',
      },
    }),
    secret: /balance/,
  },
]

describe.each(dead)('$what', ({ form: account, refusal, secret, what }) => {
  const nth = dead.findIndex((one) => one.what === what)

  test.each(dailyRows([chat, messages, responses, generate], nth))(
    'takes its account out, and a $name client learns nothing of it',
    async (client) => {
      const member = { form: account, script: refusal }
      await using mixed = await startMixed(
        { a: member, b: { form: account, settings: { priority: 1 } } },
        { keys },
      )

      const first = await askAs('alice', mixed.gateway, client)
      expect(first.status).toBe(200)
      expect(first.headers.get('x-dragoman-account')).toBe('b')
      await until(() => mixed.gateway.log.length > 0)
      expect((await askAs('alice', mixed.gateway, client)).status).toBe(200)

      expect(callsTo(mixed.accounts.a)).toHaveLength(1)
      expect(mixed.gateway.log).toMatchObject([
        {
          level: 'error',
          account: 'a',
          msg: expect.stringContaining('a check was refused as well'),
        },
      ])
    },
  )

  test('is no error for the caller of a pool that has nothing else', async () => {
    await using mixed = await startMixed({ a: { form: account, script: refusal } }, { keys })

    const response = await askAs('alice', mixed.gateway, account)

    expect(response.status).toBe(502)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.text()).not.toMatch(secret)
  })
})

/** The error of a dead key inside a stream with status 200. */
const inside: readonly { readonly form: Form; readonly error: object }[] = [
  {
    form: responses,
    error: { type: 'error', code: 'invalid_api_key', message: 'Incorrect API key.' },
  },
  { form: chat, error: { error: { code: 401, message: 'Incorrect API key.' } } },
  {
    form: messages,
    error: {
      type: 'error',
      error: { type: 'authentication_error', message: 'Incorrect API key.' },
    },
  },
  {
    form: generate,
    error: { error: { status: 'UNAUTHENTICATED', message: 'Incorrect API key.' } },
  },
]

describe.each(inside)(
  'a dead key that $form.name tells inside a stream',
  ({ form: account, error }) => {
    const told = answerStream([`data: ${JSON.stringify(error)}\n\n`])
    const script: Answer = (response, request) =>
      (request.method === 'GET' ? refusing(401) : told)(response, request)

    const nth = inside.findIndex((one) => one.form === account)
    test.each(dailyRows([chat, messages, responses, generate], nth))(
      'is the account’s for a $name client',
      async (client) => {
        await using mixed = await startMixed({ a: { form: account, script } }, { keys })

        const response = await askAs('alice', mixed.gateway, client, { stream: true })

        expect(response.status).toBe(502)
        expect(await response.text()).not.toContain('Incorrect')
        await until(() => mixed.gateway.log.length > 0)
        expect(mixed.gateway.log).toMatchObject([{ level: 'error', account: 'a' }])
      },
    )
  },
)

test('an error of the account after the first output is evidence as well', async () => {
  const error = JSON.stringify({ error: { code: 401, message: 'The key was revoked.' } })
  const script: Answer = (response, request) =>
    (request.method === 'GET'
      ? refusing(401)
      : answerStream([...chat.announcements, ...chat.output, `data: ${error}\n\n`]))(
      response,
      request,
    )
  await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })

  const broken = await askAs('alice', pool.gateway, chat, { stream: true })
  expect(await broken.text()).not.toContain('revoked')
  await until(() => pool.gateway.log.length > 0)

  const response = await askAs('alice', pool.gateway, chat)
  expect(response.headers.get('x-dragoman-account')).toBe('b')
})

test('a failed response that reports a spent balance is the account’s, and reaches the client as it is', async () => {
  const failed = {
    ...responses.reply,
    status: 'failed',
    error: { code: 'insufficient_quota', message: 'No quota.' },
    output: [],
  }
  const script: Answer = (response, request) =>
    (request.method === 'GET' ? refusing(402) : answering(200, failed))(response, request)
  await using pool = await startPool(responses, { a: script }, { keys })

  const response = await askAs('alice', pool.gateway, responses)

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'failed' })
  await until(() => pool.gateway.log.length > 0)
  expect(pool.gateway.log).toMatchObject([{ level: 'error', account: 'a', status: 429 }])
})

test('a key without access to a model loses that model only, for as long as it takes', async () => {
  const noAccess = answering(403, {
    error: { message: 'Project `p` does not have access to model `m`.', code: 'model_not_found' },
  })
  const script: Answer = (response, request) => {
    if (request.method === 'GET') return listing(response, request)
    return (request.body.includes('"m"') ? noAccess : serving(chat))(response, request)
  }
  await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })
  const serverOf = async (model: string) =>
    (await askAs('alice', pool.gateway, chat, { model })).headers.get('x-dragoman-account')

  expect([await serverOf('m'), await serverOf('m'), await serverOf('other')]).toEqual([
    'b',
    'b',
    'a',
  ])

  expect(callsTo(pool.accounts.a)).toHaveLength(2)
  expect(pool.gateway.log).toMatchObject([
    { level: 'error', account: 'a', status: 403, model: 'm' },
  ])
})

describe.each([
  ['of a tool’s model', 'Your organization must be verified to use the model `m-image`.', false],
  ['of a model with a like name', 'Project `p` does not have access to model `m-1`.', false],
  ['that names a model which answers', 'Project `p` does not have access to model `m`.', true],
])('a refusal %s', (_, message, hasAnswered) => {
  test('takes the model from the one key that provokes it', async () => {
    const script = refusingOdd(answering(403, { error: { message } }), serving(chat))
    await using pool = await startPool(chat, { a: script }, { keys })
    const { a } = pool.accounts
    if (hasAnswered) await askAs('bob', pool.gateway, chat)
    const before = callsTo(a).length

    for (let call = 0; call < 6; call++) {
      expect((await askAs('mallory', pool.gateway, chat, oddly(chat))).status).toBeGreaterThan(400)
    }
    expect(callsTo(a)).toHaveLength(before + 3)

    expect((await askAs('alice', pool.gateway, chat)).status).toBe(200)
    expect(pool.gateway.log).toMatchObject([{ account: 'a', key: 'mallory' }])
  })
})

describe('a refusal of the credential that a check contradicts', () => {
  /** Providers such as OpenRouter list their models to anyone. */
  const publicList: Answer = (response, request) =>
    (request.method === 'GET' ? listing : refusing(401))(response, request)

  test('excludes the account for the key that it refuses', async () => {
    await using pool = await startPool(chat, { a: publicList, b: serving(chat) }, { keys })

    for (let call = 0; call < 6; call++) {
      const response = await askAs('alice', pool.gateway, chat)
      expect(response.headers.get('x-dragoman-account')).toBe('b')
    }

    expect(callsTo(pool.accounts.a)).toHaveLength(3)
    expect(pool.gateway.log).toMatchObject([
      { account: 'a', key: 'alice', msg: expect.stringContaining('3 calls of one key') },
    ])
  })

  test('excludes it for all once it has refused two', async () => {
    await using pool = await startPool(chat, { a: publicList, b: serving(chat) }, { keys })

    await askAs('alice', pool.gateway, chat)
    await askAs('bob', pool.gateway, chat)
    await until(() => pool.gateway.log.length > 0)
    await askAs('mallory', pool.gateway, chat)

    expect(callsTo(pool.accounts.a)).toHaveLength(2)
    expect(pool.gateway.log[0]).not.toHaveProperty('key')
  })
})

test.each(forms)(
  'a 401 is never the answer of a $name client, whatever it is about',
  async (form) => {
    const scopes = answering(401, {
      error: {
        message:
          'You have insufficient permissions for this operation. Missing scopes: model.request',
      },
    })
    const script: Answer = (response, request) =>
      (request.method === 'GET' ? listing : scopes)(response, request)
    await using pool = await startPool(form, { a: script }, { keys })

    for (let call = 0; call < 3; call++) {
      expect((await askAs('alice', pool.gateway, form)).status).toBe(502)
    }
  },
)
