import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import type { GenerateEvent } from '../../../src/generate/events.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { ask, notContinued, refusal, ways } from '../chaining/asking.ts'
import { startWalk, type Walk } from '../sdk/walk.ts'

/** Writes in capitals what accounts say. */
const loud: GatewayPlugin = definePlugin({
  name: 'loud',
  onEvents: () => ({
    map(event: GenerateEvent, emit) {
      emit(event.type === 'delta' ? { ...event, text: event.text.toUpperCase() } : event)
    },
  }),
})

const edited = { plugins: [loud] }

describe.concurrent('before accounts that speak Responses, a plugin that edits replies', () => {
  describe.for(ways)('($way)', (way) => {
    test('gives them ids of the gateway, by which everything works', async () => {
      await using walk = await startWalk(edited)
      const client = connect(walk)
      const first = await ask(client, { input: 'one apple' }, way)
      const second = await ask(client, { input: 'two', previous_response_id: first.id }, way)

      expect([first, second].map(({ output_text }) => output_text)).toEqual(['A', 'A'])
      expect(second.previous_response_id).toBe(first.id)
      expect(walk.sandbox.requests.at(-1)?.body.toString()).toContain('one apple')
      const { responses } = client
      expect(await responses.retrieve(first.id)).toMatchObject({ output_text: 'A' })
      expect((await responses.inputItems.list(second.id)).data).toHaveLength(3)
      await responses.delete(first.id)
      expect((await refusal(sdk, responses.retrieve(first.id))).status).toBe(404)
      expect(walk.sandbox.requests).toHaveLength(2)
    })

    test('has what an account keeps go on there, and from there no further', async () => {
      const store = openMemoryStore()
      await using walk = await startWalk({ store })
      const { id } = await ask(connect(walk), { input: 'one apple' }, way)
      await using later = await editedLater(walk, store)
      const client = connect({ gateway: later })

      const next = await ask(client, { previous_response_id: id }, way)

      expect(next).toMatchObject({ output_text: 'A', previous_response_id: id })
      expect(JSON.parse(walk.sandbox.requests.at(-1)?.body.toString() ?? '')).toMatchObject({
        previous_response_id: id,
      })
      expect(await client.responses.retrieve(next.id)).toMatchObject({ output_text: 'A' })
      const asked = ask(client, { previous_response_id: next.id }, way)
      expect(await refusal(sdk, asked)).toEqual(notContinued(next.id))
    })

    test('has a conversation go on that an account keeps', async () => {
      await using walk = await startWalk(edited)
      const client = connect(walk)
      const { id } = await client.conversations.create()

      const response = await ask(client, { input: 'one', conversation: id }, way)
      await ask(client, { input: 'two', conversation: id }, way)

      expect(response).toMatchObject({ output_text: 'A', conversation: { id } })
      const { data } = await client.conversations.items.list(id)
      expect(data).toHaveLength(4)
    })
  })

  test('leaves alone what is no reply of a model', async () => {
    await using walk = await startWalk(edited)
    const client = connect(walk)
    const { conversations, responses } = client

    const count = await responses.inputTokens.count({ model: 'sandbox/whoami', input: 'one two' })
    const conversation = await conversations.create({ metadata: { topic: 'fruit' } })
    const { data } = await conversations.items.create(conversation.id, {
      items: [{ type: 'message', role: 'user', content: 'hi' }],
    })

    expect(count).toMatchObject({ object: 'response.input_tokens' })
    expect(await conversations.retrieve(conversation.id)).toEqual(conversation)
    expect((await conversations.items.list(conversation.id)).data).toEqual(data)
    expect(walk.sandbox.requests.map(({ url }) => url)).toContain('/v1/responses/input_tokens')
    expect(walk.sandbox.requests.every(({ url }) => url !== '/v1/responses')).toBe(true)
  })

  test('leaves a response alone that an account keeps and a client looks up', async () => {
    const store = openMemoryStore()
    await using walk = await startWalk({ store })
    const { id } = await ask(connect(walk))
    await using later = await editedLater(walk, store)

    expect(await connect({ gateway: later }).responses.retrieve(id)).toMatchObject({
      id,
      status: 'completed',
    })
  })
})

function connect({ gateway }: Pick<Walk, 'gateway'>): OpenAI {
  return new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
}

/** The same account behind a gateway that edits its replies from now on. */
function editedLater({ sandbox }: Walk, store: Store): Promise<TestGateway> {
  const account = { id: 'a', provider: 'sandbox', apiKey: 'sandbox-key-a', models: ['*'] }
  return createTestGateway({ ...edited, store, accounts: [{ ...account, baseUrl: sandbox.url }] })
}

const sdk = { OpenAI } as Parameters<typeof refusal>[0]
