import { describe, expect, test } from 'vitest'

import { createTestGateway, startSandbox } from '../../../src/testing/index.ts'
import { foreignWays } from './clients.ts'
import { historyIn } from './history.ts'
import { model, type Spoken } from './stage.ts'

/** Two accounts of one dialect. `best` is the one for new work. */
async function startPair(account: Spoken, best: 'a' | 'b') {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const accountsFor = (first: string) =>
    ['a', 'b'].map((id) => ({
      id,
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${id}`,
      speaks: [account],
      models: ['*', model],
      priority: id === first ? 0 : 1,
    }))
  const gateway = starting.use(await createTestGateway({ accounts: accountsFor(best) }))
  const started = starting.move()
  return {
    gateway,
    sandbox,
    prefer: (first: 'a' | 'b') => gateway.reload({ accounts: accountsFor(first) }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const signs = { chat: 0, messages: 2, responses: 2, generate: 2 }

describe.for(foreignWays)('$title, of which there are two', ({ client, account, stream }) => {
  test('what one account began it goes on with, while new work goes to the other', async () => {
    await using pair = await startPair(account, 'a')
    const { gateway, sandbox } = pair
    const began = client.open({ gateway, model, stream })
    await began.ask('How is Bern?')
    pair.prefer('b')

    await client.open({ gateway, model, stream }).ask('How is Basel?')
    await began.answer(['result 0', 'result 1'])
    await began.answer(['result 2', 'result 3'])

    expect(sandbox.requests.map((request) => request.account)).toEqual(['a', 'b', 'a', 'a'])
    const last = JSON.parse(sandbox.requests[3]!.body.toString())
    expect(historyIn(account, last).signatures).toHaveLength(signs[account])
  })
})
