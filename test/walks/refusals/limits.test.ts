import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import type { Answer } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { refusing, serving, startPool } from '../failover/pool.ts'
import { ask } from '../streams/asking.ts'
import { type Form, form, forms } from '../streams/forms.ts'
import { answering, askAs, keys } from './keys.ts'

const { chat, generate } = form

/** Refuses one model, and serves the others. */
function limiting(form: Form, model: string, refuse: Answer): Answer {
  return (response, request) => {
    const isIt = request.url.includes(model) || request.body.includes(`"${model}"`)
    return (isIt ? refuse : serving(form))(response, request)
  }
}

describe.each(forms)('a rate limit of one model that a $name client meets', (form) => {
  test('leaves the other models of the account to other keys', async () => {
    const limited = limiting(form, 'busy', refusing(429, { 'retry-after': '60' }))
    await using pool = await startPool(form, { a: limited, b: serving(form) }, { keys })
    const serverOf = async (model: string) =>
      (await askAs('alice', pool.gateway, form, { model })).headers.get('x-dragoman-account')

    await askAs('mallory', pool.gateway, form, { model: 'busy' })

    expect(await serverOf('busy')).toBe('b')
    expect(await serverOf('quiet')).toBe('a')
    expect(pool.gateway.log).toEqual([])
  })
})

const quota = (violation: object) => ({
  error: {
    code: 429,
    message: 'You exceeded your current quota.',
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] }],
  },
})

test.each([
  {
    what: 'names a model as its dimension',
    violation: { quotaId: 'GenerateRequests', quotaDimensions: { model: 'busy' } },
    server: 'a',
  },
  {
    what: 'is counted for each model',
    violation: { quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' },
    server: 'a',
  },
  {
    what: 'is the whole project’s',
    violation: { quotaId: 'GenerateRequestsPerDayPerProject' },
    server: 'b',
  },
])(
  'after a quota of Gemini that $what, other models go to $server',
  async ({ violation, server }) => {
    const refuse = answering(429, quota(violation), { 'retry-after': '60' })
    const limited = limiting(generate, 'busy', refuse)
    await using pool = await startPool(generate, { a: limited, b: serving(generate) }, { keys })

    await askAs('mallory', pool.gateway, generate, { model: 'busy' })
    const other = await askAs('alice', pool.gateway, generate, { model: 'quiet' })

    expect(other.headers.get('x-dragoman-account')).toBe(server)
  },
)

test('an overloaded model cools alone as well', async () => {
  const limited = limiting(chat, 'busy', refusing(503, { 'retry-after': '60' }))
  await using pool = await startPool(chat, { a: limited, b: serving(chat) }, { keys })

  await askAs('mallory', pool.gateway, chat, { model: 'busy' })
  const other = await askAs('alice', pool.gateway, chat, { model: 'quiet' })

  expect(other.headers.get('x-dragoman-account')).toBe('a')
})

test('thousands of limited models forget each other, and no other', async () => {
  const limited = limiting(chat, 'busy', refusing(429, { 'retry-after': '600' }))
  await using pool = await startPool(chat, { a: limited, b: serving(chat) }, { keys })

  for (let round = 0; round < 30; round++) {
    const models = Array.from({ length: 50 }, (_, index) => `busy-${round}-${index}`)
    await Promise.all(models.map((model) => askAs('mallory', pool.gateway, chat, { model })))
  }

  const other = await askAs('alice', pool.gateway, chat, { model: 'quiet' })
  expect(other.headers.get('x-dragoman-account')).toBe('a')
})

describe('before a sandbox', () => {
  async function startTrial() {
    const sandbox = await startSandbox()
    const gateway = await createTestGateway({
      accounts: ['a', 'b'].map((id, priority) => ({
        id,
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: `sandbox-key-${id}`,
        models: ['*'],
        priority,
      })),
    })
    return {
      async serverOf(model: string, steering?: string, form = chat) {
        const headers: Record<string, string> =
          steering === undefined ? {} : { 'x-sandbox': steering }
        const response = await ask(gateway, form, { model, stream: false, headers })
        return response.headers.get('x-dragoman-account')
      },
      async [Symbol.asyncDispose]() {
        await gateway[Symbol.asyncDispose]()
        await sandbox[Symbol.asyncDispose]()
      },
    }
  }

  test.each(['status=429; retry-after=60; only=a', 'limit=model; retry-after=60; only=a'])(
    'a 429 on purpose (%s) cools no other test’s calls',
    async (steering) => {
      await using trial = await startTrial()

      expect(await trial.serverOf('sandbox/echo', steering)).toBe('b')

      expect(await trial.serverOf('sandbox/echo')).toBe('a')
      expect(await trial.serverOf('sandbox/tool')).toBe('a')
      // It cools the same call, so that the cool-down can be seen.
      expect(await trial.serverOf('sandbox/echo', steering)).toBe('b')
    },
  )

  test('a 429 on purpose in the name of a model cools that name', async () => {
    await using trial = await startTrial()
    const model = 'sandbox/status=429+retry-after=60+only=a'

    expect([await trial.serverOf(model), await trial.serverOf('sandbox/echo')]).toEqual(['b', 'a'])
  })

  test('a limit of the whole account cools it for all, if that is asked for', async () => {
    await using trial = await startTrial()
    const steering = 'limit=account; retry-after=60; only=a'

    expect(await trial.serverOf('sandbox/echo', steering, generate)).toBe('b')

    expect(await trial.serverOf('sandbox/echo', undefined, chat)).toBe('b')
  })
})
