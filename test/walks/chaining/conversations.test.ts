import { describe, expect, test } from 'vitest'

import { accountOf, ask, connect, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { clients, preferB, startStage } from './stage.ts'
import { noConversation, own } from './stored.ts'

// The oldest SDK knows no conversations.
const grounds = allGrounds().filter(({ name }) => !name.includes('openai 4'))

const hello = { type: 'message', role: 'user', content: 'hello' } as const

describe.for(grounds)('on $name, a client with a conversation', ({ sdk, open }) => {
  test('finds it where it began: it, its items and its metadata', async () => {
    await using stage = await startStage(open)
    const { conversations } = connect(stage, sdk)
    const { id } = await conversations.create({ items: [hello] })
    stage.configure(preferB)

    const changed = await conversations.update(id, { metadata: { topic: 'greetings' } })
    const { data } = await conversations.items.create(id, { items: [hello, hello] })
    const added = data[1]?.id ?? ''
    expect(await conversations.retrieve(id)).toEqual(changed)
    expect((await conversations.items.list(id)).data).toHaveLength(3)
    const where = { conversation_id: id }
    expect(await conversations.items.retrieve(added, where)).toMatchObject({ id: added })
    await conversations.items.delete(added, where)
    expect((await conversations.items.list(id)).data).toHaveLength(2)

    expect(changed).toMatchObject({ id, metadata: { topic: 'greetings' } })
    expect(stage.asked('b')).toEqual([])
  })

  test.for([{ form: 'its id' }, { form: 'an object' }])(
    'goes on in it, named by $form, where it began',
    async ({ form }) => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const { id } = await client.conversations.create()
      stage.configure(preferB)

      const conversation = form === 'an object' ? { id } : id
      const response = await ask(client, { conversation })
      const streamed = await ask(client, { conversation }, { stream: true })

      expect([response, streamed].map(accountOf)).toEqual(['a', 'a'])
      expect([response.conversation, streamed.conversation]).toEqual([{ id }, { id }])
      expect((await client.conversations.items.list(id)).data).toHaveLength(4)
      expect(stage.asked('b')).toEqual([])
    },
  )

  test('goes on in it from a response: its account judges its own, and sees no other', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id: conversation } = await client.conversations.create()
    const here = await ask(client)
    stage.configure(preferB)
    const there = await ask(client)
    const continued = (previous: { id: string }) =>
      refusal(sdk, ask(client, { conversation, previous_response_id: previous.id }))

    expect(await continued(here)).toMatchObject({
      name: 'BadRequestError',
      status: 400,
      body: { message: expect.stringContaining('Mutually exclusive parameters') },
    })
    expect(stage.asked('a')).toHaveLength(3)
    expect(await continued(there)).toMatchObject({
      name: 'BadRequestError',
      status: 400,
      body: { code: 400, details: [{ code: 'invalid_value' }] },
    })
    expect([stage.asked('a'), stage.asked('b')].map(({ length }) => length)).toEqual([3, 1])
  })

  test('deletes it, and it is gone for all purposes', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { conversations } = client
    const { id } = await conversations.create()

    expect(await conversations.delete(id)).toMatchObject({ id, deleted: true })

    const before = stage.sandbox.requests.length
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(noConversation(id))
    expect(await refusal(sdk, ask(client, { conversation: id }))).toEqual(noConversation(id))
    expect(stage.sandbox.requests).toHaveLength(before)
  })

  test('keeps it from every other key, as if there were no such conversation', async () => {
    await using stage = await startStage(open)
    const { id } = await connect(stage, sdk).conversations.create()
    const another = connect(stage, sdk, { apiKey: clients.another })
    const { conversations } = another
    const before = stage.sandbox.requests.length

    for (const name of [id, 'conv_of_nobody']) {
      const where = { conversation_id: name }
      for (const call of [
        () => conversations.retrieve(name),
        () => conversations.update(name, { metadata: {} }),
        () => conversations.delete(name),
        () => conversations.items.list(name),
        () => conversations.items.create(name, { items: [hello] }),
        () => conversations.items.retrieve('msg_1', where),
        () => conversations.items.delete('msg_1', where),
        () => ask(another, { conversation: name }),
        () => ask(another, { conversation: name }, { stream: true }),
      ]) {
        expect(await refusal(sdk, call())).toEqual(noConversation(name))
      }
    }
    expect(stage.sandbox.requests).toHaveLength(before)
  })

  test('is told that its account is away, or that nobody can tell', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { conversations } = client
    const { id } = await conversations.create()
    const inIt = () => ask(client, { conversation: id })
    stage.broken.reads = true
    const cannotTell = own(503, 'The conversation cannot be looked up at the moment.', {
      code: 'lookup_unavailable',
      shouldRetry: 'true',
    })
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(cannotTell)
    expect(await refusal(sdk, inIt())).toEqual(cannotTell)
    stage.broken.reads = false
    stage.configure({ a: undefined })

    const away = 'The account that has this conversation cannot be used'
    const gone = own(503, `${away}: it is no longer configured.`, {
      code: 'owner_unavailable',
      shouldRetry: 'false',
    })
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(gone)
    expect(await refusal(sdk, inIt())).toEqual(gone)
    expect(stage.asked('b')).toEqual([])
  })
})
