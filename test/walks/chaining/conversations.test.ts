import { describe, expect, test } from 'vitest'

import { accountOf, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { startKeepers } from './keepers.ts'
import { noConversation, own } from './stored.ts'

// The oldest SDK knows no conversations.
const grounds = allGrounds().filter(({ name }) => !name.includes('openai 4'))

const hello = { type: 'message', role: 'user', content: 'hello' } as const

describe.for(grounds)('on $name, a client with a conversation', ({ sdk, open }) => {
  test('finds it where it began: it, its items and its metadata', async () => {
    await using keepers = await startKeepers(open)
    const { conversations } = keepers.mine
    const { id } = await conversations.create({ items: [hello] })
    keepers.prefer('b')

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
    expect(keepers.asked('b')).toEqual([])
  })

  test.for([{ form: 'its id' }, { form: 'an object' }])(
    'goes on in it, named by $form, where it began',
    async ({ form }) => {
      await using keepers = await startKeepers(open)
      const { id } = await keepers.mine.conversations.create()
      keepers.prefer('b')

      const conversation = form === 'an object' ? { id } : id
      const response = await keepers.mine.responses.create({
        model: 'm',
        input: 'hi',
        conversation,
      })

      expect(response.conversation).toEqual({ id })
      expect(accountOf(response)).toBe('a')
      expect(keepers.asked('b')).toEqual([])
    },
  )

  test('goes on in it from a response of the same account, but of no other', async () => {
    await using keepers = await startKeepers(open)
    const { conversations, responses } = keepers.mine
    const { id: conversation } = await conversations.create()
    const here = await responses.create({ model: 'm', input: 'hi' })
    keepers.prefer('b')
    const there = await responses.create({ model: 'm', input: 'hi' })
    const asked = [...keepers.asked('a'), ...keepers.asked('b')].length

    const continued = (previous: { id: string }) =>
      responses.create({
        model: 'm',
        input: 'hi',
        conversation,
        previous_response_id: previous.id,
      })

    expect(accountOf(await continued(here))).toBe('a')
    const { name, status, body } = await refusal(sdk, continued(there))
    expect({ name, status }).toEqual({ name: 'BadRequestError', status: 400 })
    expect(body).toMatchObject({ code: 400, details: [{ code: 'invalid_value' }] })
    expect([...keepers.asked('a'), ...keepers.asked('b')]).toHaveLength(asked + 1)
  })

  test('deletes it, and it is gone for all purposes', async () => {
    await using keepers = await startKeepers(open)
    const { conversations, responses } = keepers.mine
    const { id } = await conversations.create()

    expect(await conversations.delete(id)).toMatchObject({ id, deleted: true })

    const before = keepers.asked('a').length
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(noConversation(id))
    const asked = responses.create({ model: 'm', input: 'hi', conversation: id })
    expect(await refusal(sdk, asked)).toEqual(noConversation(id))
    expect(keepers.asked('a')).toHaveLength(before)
  })

  test('keeps it from every other key, as if there were no such conversation', async () => {
    await using keepers = await startKeepers(open)
    const { id } = await keepers.mine.conversations.create()
    const { conversations, responses } = keepers.another
    const before = keepers.asked('a').length

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
        () => responses.create({ model: 'm', input: 'hi', conversation: name }),
        () => responses.create({ model: 'm', input: 'hi', conversation: name, stream: true }),
      ]) {
        expect(await refusal(sdk, call())).toEqual(noConversation(name))
      }
    }
    expect([...keepers.asked('a'), ...keepers.asked('b')]).toHaveLength(before)
  })

  test('is told that its account is away, or that nobody can tell', async () => {
    await using keepers = await startKeepers(open)
    const { conversations, responses } = keepers.mine
    const { id } = await conversations.create()
    const inIt = () => responses.create({ model: 'm', input: 'hi', conversation: id })
    keepers.broken.reads = true
    const cannotTell = own(503, 'The conversation cannot be looked up at the moment.', {
      code: 'lookup_unavailable',
      shouldRetry: 'true',
    })
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(cannotTell)
    expect(await refusal(sdk, inIt())).toEqual(cannotTell)
    keepers.broken.reads = false
    keepers.remove('a')

    const away = 'The account that has this conversation cannot be used'
    const gone = own(503, `${away}: it is not configured any more.`, {
      code: 'owner_unavailable',
      shouldRetry: 'false',
    })
    expect(await refusal(sdk, conversations.retrieve(id))).toEqual(gone)
    expect(await refusal(sdk, inIt())).toEqual(gone)
    expect(keepers.asked('b')).toEqual([])
  })
})
