import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { foreignWays } from './clients.ts'
import { historyIn, resultsByCall } from './history.ts'
import { startPair } from './pair.ts'
import { model } from './stage.ts'

const ways = foreignWays.filter(({ account }) => account === 'responses')

const given = ['result 0', 'result 1', 'result 2', 'result 3']

describe.for(dailyRows(ways))('$title, of which there are two', ({ client, account, stream }) => {
  test('the other account goes on without what the first one sealed, and with its own', async () => {
    await using pair = await startPair(account, { first: 'a' })
    const conversation = client.open({ gateway: pair.gateway, model, stream })
    await conversation.ask('How is Bern?')
    pair.become({ first: 'b', there: ['b'] })

    expect((await conversation.answer(given.slice(0, 2))).calls).toHaveLength(2)
    const told = historyIn(account, JSON.parse(pair.lastAsked()))
    expect((await conversation.answer(given.slice(2))).text).toMatch(/^The tool answered: /)

    expect(pair.whoWasAsked()).toEqual(['a', 'b', 'b'])
    expect(told.signatures).toEqual([])
    const last = historyIn(account, JSON.parse(pair.lastAsked()))
    expect(last.signatures).toHaveLength(1)
    expect(resultsByCall(last)).toEqual(given)
  })

  test('where the account that sealed it fails, the other one answers', async () => {
    await using pair = await startPair(account, { first: 'a' })
    const conversation = client.open({ gateway: pair.gateway, model, stream })
    await conversation.ask('How is Bern?')
    pair.become({ first: 'a', failing: 'a' })

    expect((await conversation.answer(given.slice(0, 2))).calls).toHaveLength(2)

    expect(pair.whoWasAsked()).toEqual(['a', 'a', 'b'])
    const [, failed] = pair.sandbox.requests.map(({ body }) => JSON.parse(body.toString()))
    expect(historyIn(account, failed).signatures).toHaveLength(1)
    expect(historyIn(account, JSON.parse(pair.lastAsked())).signatures).toEqual([])
  })

  test('the account that sealed it gets it back when it returns', async () => {
    await using pair = await startPair(account, { first: 'a' })
    const conversation = client.open({ gateway: pair.gateway, model, stream })
    await conversation.ask('How is Bern?')
    pair.become({ first: 'b', there: ['b'] })
    await conversation.answer(given.slice(0, 2))
    pair.become({ first: 'a', there: ['a'] })
    expect((await conversation.answer(given.slice(2))).text).toMatch(/^The tool answered: /)

    expect(pair.whoWasAsked()).toEqual(['a', 'b', 'a'])
    expect(historyIn(account, JSON.parse(pair.lastAsked())).signatures).toHaveLength(1)
  })
})
