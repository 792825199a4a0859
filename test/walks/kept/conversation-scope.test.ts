import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { clients } from '../chaining/stage.ts'
import { noConversation } from '../chaining/stored.ts'
import { keptGrounds, startKept } from './stage.ts'

// The oldest SDK knows no conversations.
const grounds = keptGrounds().filter(({ name }) => !name.includes('openai 4'))

const message = (content: string) => ({ type: 'message', role: 'user', content }) as const

describe.concurrent.for(grounds)('on $name, a client with a conversation', (ground) => {
  const { sdk, open, speaks } = ground

  test.for(ways)('cannot name a response to go on from as well ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create()
    const response = await ask(client)

    const asked = ask(client, { conversation: id, previous_response_id: response.id }, way)

    expect(await refusal(sdk, asked)).toMatchObject({
      status: 400,
      body: { param: 'conversation', message: expect.stringContaining('Mutually exclusive') },
    })
    expect(stage.sandbox.requests).toHaveLength(1)
  })

  test('deletes it, and it is gone for all purposes; its responses are not', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create()
    const response = await ask(client, { conversation: id })

    expect(await client.conversations.delete(id)).toEqual({
      id,
      object: 'conversation.deleted',
      deleted: true,
    })

    expect(await refusal(sdk, client.conversations.retrieve(id))).toEqual(noConversation(id))
    expect(await refusal(sdk, ask(client, { conversation: id }))).toEqual(noConversation(id))
    expect(await client.responses.retrieve(response.id)).toMatchObject({ conversation: { id } })
  })

  test('keeps it from every other key, as if there were no such conversation', async () => {
    await using stage = await startKept(speaks, open)
    const { id } = await connect(stage, sdk).conversations.create()
    const another = connect(stage, sdk, { apiKey: clients.another })
    const { conversations } = another

    for (const name of [id, 'conv_of_nobody']) {
      const where = { conversation_id: name }
      for (const call of [
        () => conversations.retrieve(name),
        () => conversations.update(name, { metadata: {} }),
        () => conversations.delete(name),
        () => conversations.items.list(name).then(),
        () => conversations.items.create(name, { items: [message('hi')] }),
        () => conversations.items.retrieve('msg_1', where),
        () => conversations.items.delete('msg_1', where),
        () => ask(another, { conversation: name }),
      ]) {
        expect(await refusal(sdk, call())).toEqual(noConversation(name))
      }
    }
    expect(stage.sandbox.requests).toEqual([])
  })
})
