import { expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { plainChatClient } from './clients.ts'
import { historyIn } from './history.ts'
import { accountsOf, model, type Stage, startStage } from './stage.ts'

type Gateway = Pick<Stage['gateway'], 'url' | 'key'>

/** How many signatures an account gets back when the results of its calls come from elsewhere. */
async function signaturesAfter(stage: Stage, first: Gateway, second: Gateway): Promise<number> {
  const where = { gateway: first, model, stream: false }
  const conversation = plainChatClient.open(where)
  await conversation.ask('How is Bern?')
  where.gateway = second
  expect((await conversation.answer(['result 0', 'result 1'])).calls).toHaveLength(2)
  const { account, json } = stage.asked().at(-1)!
  return historyIn(account, json).signatures.length
}

const keys = [
  { id: 'me', secret: 'secret-me' },
  { id: 'you', secret: 'secret-you' },
]

test.for(['messages', 'responses', 'generate'] as const)(
  'the calls of one key recall nothing for another one, account: %s',
  async (account) => {
    await using stage = await startStage(account, { keys })
    const { url } = stage.gateway
    const [me, you] = keys.map(({ secret }) => ({ url, key: secret }))
    expect(await signaturesAfter(stage, me!, you!)).toBe(0)
    expect(await signaturesAfter(stage, me!, me!)).toBe(1)
  },
)

test('what one gateway was told another one knows, by their Redis', async () => {
  await using redis = await startRedis()
  await using stage = await startStage('messages', { store: redis.url })
  await using other = await createTestGateway({
    store: redis.url,
    accounts: accountsOf(stage.sandbox, ['messages']),
  })
  expect(await signaturesAfter(stage, stage.gateway, other)).toBe(1)
  expect(await signaturesAfter(stage, other, stage.gateway)).toBe(1)
})

test('a store that fails costs a client its signatures, and never an answer', async () => {
  await using memory = { ...openMemoryStore(), [Symbol.asyncDispose]: () => memory.close() }
  const store = breakable(memory)
  await using stage = await startStage('messages', { store })
  const { gateway } = stage
  expect(await signaturesAfter(stage, gateway, gateway)).toBe(1)
  store.broken.writes = true
  expect(await signaturesAfter(stage, gateway, gateway)).toBe(0)
  store.broken.writes = false
  store.broken.reads = true
  expect(await signaturesAfter(stage, gateway, gateway)).toBe(0)
})
