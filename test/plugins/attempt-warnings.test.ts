import { expect, test } from 'vitest'

import { attemptWarnings } from '../../plugins/attempt-warnings.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import { createLog } from '../../src/lib/log.ts'
import { collectLines } from '../../src/testing/lines.ts'
import { refusing, serving, startPool } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

const { chat } = form

test('an operator learns of a failure that another account has made good', async () => {
  await using pool = await startPool(chat, { a: refusing(503), b: serving(chat) })

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(200)
  expect(pool.gateway.attemptWarnings).toEqual([
    {
      time: expect.any(String) as string,
      level: 'warn',
      msg: 'an attempt failed',
      request_id: response.headers.get('x-request-id'),
      account: 'a',
      dialect: 'chat',
      attempt: 1,
      status: 503,
      error: expect.any(String) as string,
    },
  ])
})

test('a refusal that is about the request is no warning about the account', async () => {
  await using pool = await startPool(chat, { a: refusing(400), b: serving(chat) })

  expect((await ask(pool.gateway, chat)).status).toBe(400)
  expect(pool.gateway.attemptWarnings).toEqual([])
})

test('a failing account fills no log: one warning a second, which counts the others', () => {
  const log = collectLines()
  let now = 0
  const plugin = attemptWarnings({ log: createLog(log.sink), elapsed: () => now })
  const fail = (account: string) =>
    plugin.onOutcome?.({
      exchange: { id: 'req_1', progress: {} },
      candidate: { account: { id: account }, dialect: { id: 'chat' } },
      attempt: { number: 1 },
      outcome: { status: 'failed', fault: 'account' },
    } as unknown as OutcomeInput)

  for (; now < 1_000; now += 100) void fail('a')
  void fail('b')
  void fail('a')

  expect(log.lines.map(({ account, omitted }) => [account, omitted])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['a', 9],
  ])
})
