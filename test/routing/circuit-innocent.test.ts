import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form, upToOutput } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'
import { startPair } from './pair.ts'

const { chat } = form
const often = 12

describe('an account keeps its good name', () => {
  test.each([400, 404, 409, 413, 422])('when clients make mistakes: %i', async (status) => {
    await using pair = await startPair(chat, { b: { priority: 1 } })
    pair.a.script = refusing(status)

    for (let call = 0; call < often; call++) {
      expect(await pair.ask()).toMatchObject({ status })
    }

    expect(pair.a.requests).toHaveLength(often)
    expect(pair.gateway.log).toEqual([])
  })

  test('when it is at its limit, which is a cool-down of its own', async () => {
    await using pair = await startPair(chat, { b: { priority: 1 } })
    pair.a.script = refusing(429)

    for (let call = 0; call < often; call++) {
      expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })
    }

    expect(pair.a.requests).toHaveLength(often)
    expect(pair.gateway.log).toEqual([])
  })

  test('when clients leave in the middle', async () => {
    await using pair = await startPair(chat, { b: { priority: 1 } })
    pair.a.script = (response) => openStream(response, upToOutput(chat))

    for (let call = 0; call < often; call++) {
      const response = await ask(pair.gateway, chat)
      await response.body?.cancel()
    }
    await pair.gateway.logged(often)
    await until(() => pair.a.requests.every(({ aborted }) => aborted))
    pair.a.script = serving(chat)

    expect(await pair.ask()).toMatchObject({ status: 200, account: 'a' })
    expect(pair.gateway.log).toEqual([])
  })

  test('when failures are few among successes', async () => {
    await using pair = await startPair(chat, { b: { priority: 1 } })
    let call = 0
    const flaky: Answer = (response, request) =>
      (call++ % 3 === 0 ? refusing(500) : serving(chat))(response, request)
    pair.a.script = flaky

    for (let round = 0; round < 30; round++) await pair.ask()

    expect(pair.a.requests).toHaveLength(30)
    expect(pair.gateway.log).toEqual([])
  })
})

test('an account that fails every other time is left alone after twenty attempts', async () => {
  await using pair = await startPair(chat, { b: { priority: 1 } })
  let call = 0
  pair.a.script = (response, request) =>
    (call++ % 2 === 1 ? refusing(500) : serving(chat))(response, request)

  for (let round = 0; round < 30; round++) expect(await pair.ask()).toMatchObject({ status: 200 })

  expect(pair.a.requests).toHaveLength(20)
  expect(pair.gateway.log).toMatchObject([{ msg: 'circuit opened: 10 of 20 calls got 500' }])
})
