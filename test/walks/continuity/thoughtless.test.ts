import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { callingReplies } from './calling-replies.ts'
import { generateClient, messagesClient } from './clients.ts'
import { accountsOf, type Spoken, startStage } from './stage.ts'

const calls = [
  { id: 'call_1', name: 'weather' },
  { id: 'call_2', name: 'time' },
]

/** The strictest of models: it wants its thoughts, or its signatures, back. */
const strict = 'gemini-3-pro/words=2'

test.for([
  { client: messagesClient, account: 'chat', provider: 'openai', base: '/v1' },
  { client: messagesClient, account: 'generate', provider: 'gemini', base: '' },
  { client: generateClient, account: 'chat', provider: 'openai', base: '/v1' },
  { client: generateClient, account: 'messages', provider: 'anthropic', base: '' },
] as const)(
  '$client.name goes on at its own account with what one of $account called without a thought',
  async ({ client, account, provider, base }) => {
    await using thoughtless = await startFakeAccount(
      answerJson(callingReplies[account satisfies Spoken](calls)),
    )
    const baseUrl = `${thoughtless.url}${base}`
    const first = { id: 'fake', provider, baseUrl, speaks: [account], models: [strict] }
    await using stage = await startStage(client.speaks)
    await using gateway = await createTestGateway({ accounts: [first] })
    const conversation = client.open({ gateway, model: strict, stream: false })

    expect((await conversation.ask('How is Bern?')).calls).toEqual(calls)
    gateway.reload({ accounts: accountsOf(stage.sandbox, [client.speaks]) })
    expect((await conversation.answer(['result 0', 'result 1'])).text).toBe('the sandbox')
    expect(stage.asked()[0]!.raw).not.toMatch(/gw1\.|Z3cxL/)
  },
)
