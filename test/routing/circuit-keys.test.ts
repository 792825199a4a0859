import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { type Pair, startPair } from './pair.ts'

const keys = ['mallory', 'alice'].map((id) => ({ id, secret: id }))
const poison = { fields: { user: 'poison' } }

/** Two accounts that break on one odd request, and serve all others. */
async function startFragile(): Promise<Pair> {
  const pair = await startPair(form.chat, { keys })
  const script: Answer = (response, request) => {
    const answer = request.body.includes('poison') ? refusing(500) : serving(form.chat)
    return answer(response, request)
  }
  pair.a.script = script
  pair.b.script = script
  return pair
}

async function failOften(pair: Pair, key: string, times = 5): Promise<void> {
  for (let call = 0; call < times; call++) {
    expect((await pair.ask({ key, ...poison })).status).toBe(500)
  }
}

test('requests of one key on which all accounts fail take no account from another key', async () => {
  await using pair = await startFragile()
  await failOften(pair, 'mallory')

  expect((await pair.ask({ key: 'mallory' })).status).toBe(503)
  for (let call = 0; call < 10; call++) {
    expect((await pair.ask({ key: 'alice' })).status).toBe(200)
  }
})

test('an account on which a second key fails three times as well is not asked by any', async () => {
  await using pair = await startFragile()
  await failOften(pair, 'mallory')
  await failOften(pair, 'alice', 3)

  expect((await pair.ask({ key: 'alice' })).status).toBe(503)
})
