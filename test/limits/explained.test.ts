import { describe, expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { accountOptions, backgroundAccount, order, responseId } from './background-stage.ts'
import { type LimitStage, limitStage } from './stage.ts'

const echo = 'sandbox/echo'

interface Explained {
  readonly chosen: { readonly accountId: string } | null
  readonly excluded: readonly { readonly accountId: string }[]
  readonly fallbacks: readonly object[]
  readonly answer: { readonly status: number; readonly code: string; readonly body: unknown } | null
}

async function explain(
  { gateway }: Pick<LimitStage, 'gateway'>,
  input: object = {},
): Promise<Explained> {
  const { data, errors } = await gateway.admin!.ask(
    `query ($input: ExplainInput!) { explain(input: $input) { chosen { accountId }
      excluded { accountId by reason until } fallbacks { model next on error } answer { status code body } } }`,
    {
      variables: { input: { keyId: 'a', dialect: 'chat', model: echo, ...input } },
      role: 'viewer',
    },
  )
  expect(errors).toBeUndefined()
  return (data as { explain: Explained }).explain
}

describe('an explanation says what limits would do to a call now', () => {
  test('it names the limit that refuses as the call does, and takes nothing', async () => {
    await using stage = await limitStage({
      admin: true,
      key: [
        { kind: 'requests', amount: 1, window: 'day' },
        { kind: 'concurrent', amount: 1 },
        { kind: 'tokens', amount: 100_000 },
      ],
    })
    for (let time = 0; time < 3; time++) {
      expect(await explain(stage)).toMatchObject({ answer: null, chosen: { accountId: 'one' } })
    }
    expect(await stage.limits()).toMatchObject([{ spent: 0 }, { held: 0 }, { spent: 0 }])
    expect((await stage.chat(echo)).status).toBe(200)
    await stage.settled()
    const refused = await stage.chat(echo)
    const { answer, chosen } = await explain(stage)
    expect([answer!.status, answer!.code, chosen]).toEqual([402, 'budget_exceeded', null])
    expect(answer!.body).toMatchObject({ error: { details: [refused.error.details[0]] } })
    expect(stage.sandbox.requests).toHaveLength(1)
  })

  test.each([
    ['a rate', { kind: 'requests', amount: 1, window: '1h' }, [429, 'rate_limited']],
    ['calls at once', { kind: 'concurrent', amount: 1 }, [429, 'rate_limited']],
    ['a held budget', { kind: 'cost', amount: '0.004' }, [429, 'budget_in_use']],
    ['an amount of 0', { kind: 'tokens', amount: 0 }, [429, 'rate_limited']],
    ['a dry run', { kind: 'requests', amount: 0, action: 'warn' }, undefined],
  ])('%s', async (_, quota, expected) => {
    await using stage = await limitStage({ admin: true, key: [quota] })
    const slow = await stage.send('/v1/chat/completions', {
      model: 'sandbox/words=50+pace=20',
      stream: true,
      max_tokens: 3_900,
      messages: [{ role: 'user', content: 'x' }],
    })
    const body = { messages: [{ role: 'user', content: 'x' }], max_tokens: 3_900 }
    const { answer } = await explain(stage, { body })
    expect(answer ? [answer.status, answer.code] : undefined).toEqual(expected)
    await slow.body!.cancel()
  })

  test('a model without a price under a budget of money', async () => {
    await using stage = await limitStage({ admin: true, team: [{ kind: 'cost', amount: 5 }] })
    const { answer } = await explain(stage, { model: 'sandbox/words=2' })
    expect([answer?.status, answer?.code]).toEqual([403, 'model_unpriced'])
  })

  test('a fallback that stands in for a spent budget', async () => {
    await using stage = await limitStage({
      admin: true,
      key: [{ kind: 'cost', amount: 0, models: [echo] }],
      aliases: { dear: { model: echo, fallbacks: [{ on: ['budget'], model: 'sandbox/cut=4' }] } },
    })
    expect(await explain(stage, { model: 'dear' })).toMatchObject({
      fallbacks: [{ model: echo, next: 'sandbox/cut=4', on: 'BUDGET', error: 'budget_exceeded' }],
      answer: null,
      chosen: { accountId: 'one' },
    })
  })

  test('an account at its limit, in a process that has not asked it yet', async () => {
    const store = openMemoryStore()
    await using sandbox = await limitStage()
    const account = { provider: 'sandbox', baseUrl: sandbox.sandbox.url, models: ['sandbox/*'] }
    const options = {
      store,
      admin: true,
      accounts: [
        {
          ...account,
          id: 'small',
          apiKey: 'sandbox-key-a',
          quotas: [{ kind: 'requests' as const, amount: 1, window: 'day' as const }],
        },
        { ...account, id: 'spare', apiKey: 'sandbox-key-b', priority: 1 },
      ],
    }
    await using stage = await limitStage(options)
    expect(await explain(stage)).toMatchObject({ chosen: { accountId: 'small' }, excluded: [] })
    expect((await stage.chat(echo)).headers.get('x-dragoman-account')).toBe('small')
    await using other = await limitStage(options)
    expect(await explain(other)).toMatchObject({
      chosen: { accountId: 'spare' },
      excluded: [
        {
          accountId: 'small',
          by: 'limits',
          reason: 'it is at its limit of requests per day',
          until: expect.any(String),
        },
      ],
    })
  })

  test('nothing while the store cannot say what was spent', async () => {
    const store = openMemoryStore()
    const meter = { ...store.meter(), read: () => Promise.reject(new StoreUnavailable('away')) }
    await using stage = await limitStage({
      admin: true,
      store: { ...store, meter: () => meter },
      key: [{ kind: 'requests', amount: 0, window: 'day' }],
    })
    expect(await explain(stage)).toMatchObject({ answer: null, chosen: { accountId: 'one' } })
  })

  test('nothing to an account that runs a response, of whose deletion it is asked', async () => {
    await using account = await backgroundAccount({
      [`GET ${responseId}`]: answerJson({ id: responseId }),
    })
    await using stage = await limitStage({ ...accountOptions(account), admin: true })
    await order(stage)
    const about = { dialect: 'responses', operation: 'responses.delete', id: responseId }
    expect(await explain(stage, { ...about, model: undefined })).toMatchObject({ answer: null })
    expect(account.requests).toHaveLength(1)
  })
})
