import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { answerStream } from '../../../src/testing/fake-account.ts'
import { callsTo, serving, startPool } from '../failover/pool.ts'
import { startMixed } from '../losses/mixed.ts'
import { type Form, form, forms } from '../streams/forms.ts'
import { answering, askAs, keys, oddly, refusingOdd } from './keys.ts'

const { chat, generate, messages, responses } = form

/** Refusals that providers are known to send for a single request. */
const refusals = {
  missingFile: {
    status: 403,
    told: 'You do not have permission to access the File',
    error: {
      error: {
        code: 403,
        message: 'You do not have permission to access the File abc or it may not exist.',
        status: 'PERMISSION_DENIED',
      },
    },
  },
  flagged: {
    status: 403,
    told: 'will not answer this',
    error: {
      error: {
        code: 403,
        message: 'The provider will not answer this.',
        metadata: { reasons: ['violence'], flagged_input: 'hello' },
      },
    },
  },
  tooManyTokens: {
    status: 402,
    told: 'fewer max_tokens',
    error: {
      error: {
        code: 402,
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens.',
        metadata: { provider_name: null },
      },
    },
  },
}

interface Case {
  readonly what: string
  readonly account: Form
  readonly refusal: (typeof refusals)[keyof typeof refusals]
}

const cases: readonly Case[] = [
  { what: 'names a missing file of Gemini', account: generate, refusal: refusals.missingFile },
  { what: 'is flagged by OpenRouter', account: chat, refusal: refusals.flagged },
  { what: 'asks OpenRouter for too many tokens', account: chat, refusal: refusals.tooManyTokens },
]

describe.each(cases)('a key that $what', ({ account, refusal, what }) => {
  const nth = cases.findIndex((one) => one.what === what)
  const { status, told, error } = refusal
  const script = refusingOdd(answering(status, error), serving(account))

  test.each(dailyRows([chat, messages, responses, generate], nth))(
    'gets that answer as a $name client, and takes no account from another key',
    async (client) => {
      const member = { form: account, script }
      await using mixed = await startMixed({ a: member, b: member, c: member }, { keys })
      const { gateway, accounts } = mixed

      for (let call = 0; call < 10; call++) {
        const response = await askAs('mallory', gateway, client, oddly(client))
        expect(response.status).toBe(status)
        expect(response.headers.get('x-should-retry')).not.toBe('true')
        expect(await response.text()).toContain(told)
      }

      const asked = [accounts.a, accounts.b, accounts.c].flatMap((one) => callsTo(one))
      expect(asked).toHaveLength(10)
      expect((await askAs('alice', gateway, client)).status).toBe(200)
      expect((await askAs('mallory', gateway, client)).status).toBe(200)
      expect(gateway.log).toEqual([])
    },
  )

  test.each([
    { where: 'in a reply with status 200', reply: answering(200, error), stream: false },
    {
      where: 'as the first event of a stream',
      reply: answerStream([`data: ${JSON.stringify(error)}\n\n`]),
      stream: true,
    },
  ])('gets it $where too', async ({ reply, stream }) => {
    const script = refusingOdd(reply, serving(account))
    await using pool = await startPool(account, { a: script, b: script }, { keys })

    for (let call = 0; call < 6; call++) {
      const asking = { ...oddly(account), stream }
      const response = await askAs('mallory', pool.gateway, account, asking)
      expect(response.status).toBe(status)
      expect(await response.text()).toContain(told)
    }

    expect(callsTo(pool.accounts.b)).toHaveLength(0)
    expect((await askAs('alice', pool.gateway, account)).status).toBe(200)
    expect(pool.gateway.log).toEqual([])
  })
})

/** Errors of a request that quote it: callers write what looks like the account's own words. */
const quoting = [
  {
    account: messages,
    message: "messages.0: Input tag 'Your credit balance is too low' is none of the expected tags",
  },
  {
    account: messages,
    message: 'messages.0.role: "You have reached your specified API usage limits" is no role',
  },
  {
    account: generate,
    message: 'Invalid value, "You do not have permission to access tuned model m"',
  },
  { account: generate, message: 'Invalid value, "Your API key was reported as leaked"' },
]

test.each(quoting)(
  'callers who have a $account.name account say "$message" take it from nobody',
  async ({ account, message }) => {
    const error = { type: 'error', error: { code: 400, type: 'invalid_request_error', message } }
    const script = refusingOdd(answering(400, error), serving(account))
    await using pool = await startPool(account, { a: script, b: script }, { keys })

    for (const owner of ['mallory', 'bob', 'mallory', 'bob'] as const) {
      const response = await askAs(owner, pool.gateway, account, oddly(account))
      expect(response.status).toBe(400)
    }

    const other = await askAs('alice', pool.gateway, account)
    expect(other.headers.get('x-dragoman-account')).toBe('a')
    expect(callsTo(pool.accounts.b)).toHaveLength(0)
    expect(pool.gateway.log).toEqual([])
  },
)

test('a request too large for the limit of an account moves on, and cools nothing', async () => {
  const error = {
    error: { message: 'Request too large for m in organization o.', code: 'rate_limit_exceeded' },
  }
  const script = refusingOdd(answering(429, error, { 'retry-after': '60' }), serving(chat))
  await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })

  const large = await askAs('mallory', pool.gateway, chat, oddly(chat))
  const other = await askAs('alice', pool.gateway, chat)

  expect(large.headers.get('x-dragoman-account')).toBe('b')
  expect(other.headers.get('x-dragoman-account')).toBe('a')
})

test.each(forms)(
  'an odd request of a $name client that streams leaves the account to others',
  async (form) => {
    const error = {
      error: {
        code: 403,
        message: 'You do not have permission to access the File x or it may not exist.',
      },
    }
    const script = refusingOdd(answering(403, error), serving(form))
    await using pool = await startPool(form, { a: script, b: script }, { keys })

    for (let call = 0; call < 4; call++) {
      await askAs('alice', pool.gateway, form)
      await askAs('mallory', pool.gateway, form, { ...oddly(form), stream: true })
    }

    expect((await askAs('alice', pool.gateway, form)).headers.get('x-dragoman-account')).toBe('a')
    expect(pool.gateway.log).toEqual([])
  },
)
