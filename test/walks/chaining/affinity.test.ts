import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { accountOf, ask, connect } from './asking.ts'
import { alias, otherModel, preferB, startStage } from './stage.ts'

const reply = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] }

/** What a call may lead to its account by, most telling first. */
async function affinityOf(
  fields: object,
  { path = 'responses', headers = {} } = {},
): Promise<unknown> {
  const seen: unknown[] = []
  const watching = definePlugin({
    name: 'watching',
    onCandidates: ({ exchange }) => void seen.push(exchange.call.affinity),
  })
  await using account = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, models: ['*'] }],
    plugins: [watching],
  })
  const response = await fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
    body: JSON.stringify({ model: 'm', ...fields }),
  })
  // Data that no reply to the key has contained is refused afterwards.
  expect([200, 400]).toContain(response.status)
  return seen[0]
}

const message = (id: string) => ({ type: 'message', role: 'user', content: [], id })
const said = { role: 'user', content: [{ type: 'input_text', text: 'hi', id: 'never_looked_at' }] }

describe('a call leads to its account by', () => {
  test('the items that it replays or refers to, the last ones first', async () => {
    const input = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      message('msg_1'),
      said,
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: '' },
      { type: 'item_reference', id: 'msg_2' },
      { id: 'msg_3' },
    ]
    const items = ['msg_3', 'msg_2', 'cmp_1', 'fc_1', 'msg_1', 'rs_1'].map((id) => `item:${id}`)

    expect(await affinityOf({ input })).toEqual(items)
    expect(await affinityOf({ input }, { path: 'responses/input_tokens' })).toEqual(items)
    expect(await affinityOf({ input }, { path: 'responses/compact' })).toEqual(items)
  })

  test('the items that a conversation begins with', async () => {
    const items = [message('msg_1'), said, message('msg_2')]

    expect(await affinityOf({ items }, { path: 'conversations' })).toEqual([
      'item:msg_2',
      'item:msg_1',
    ])
  })

  test('eight of them at most, and none twice', async () => {
    const input = Array.from({ length: 30 }, (_, index) => message(`msg_${index >> 1}`))

    expect(await affinityOf({ input })).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7].map((number) => `item:msg_${number}`),
    )
  })

  test('then its prompt_cache_key, then the session that its headers name', async () => {
    const headers = {
      'session-id': 's-1',
      'x-session-affinity': 's-2',
      'x-claude-code-session-id': 's-3',
    }
    const fields = { input: [message('msg_1')], prompt_cache_key: 'notes' }

    expect(await affinityOf(fields, { headers })).toEqual([
      'item:msg_1',
      'cache:notes',
      'session:s-3',
      'session:s-1',
      'session:s-2',
    ])
  })

  test('nothing that says nothing', async () => {
    const odd = [{ id: ' ' }, { id: 7 }, { id: null }, null, 'hi', [], said]

    expect(await affinityOf({ input: odd, prompt_cache_key: '' })).toEqual([])
    expect(await affinityOf({ input: 'hi', prompt_cache_key: null })).toEqual([])
  })
})

describe('a client that carries on without ids of responses', () => {
  test.for([{ stream: false }, { stream: true }])(
    'is served where its items were made, with any model (stream: $stream)',
    async ({ stream }) => {
      await using stage = await startStage()
      const client = connect(stage)
      const { output } = await ask(client, {}, { stream })
      stage.configure(preferB)

      for (const model of [alias, otherModel]) {
        const input = [...(output as []), { role: 'user' as const, content: 'on' }]
        expect(accountOf(await ask(client, { model, input }))).toBe('a')
      }

      expect(accountOf(await ask(client))).toBe('b')
    },
  )

  test('is served elsewhere when the account that made its items is away', async () => {
    await using stage = await startStage()
    const client = connect(stage)
    const { output } = await ask(client)
    stage.configure({ a: { enabled: false } })

    expect(accountOf(await ask(client, { input: output as [] }))).toBe('b')
  })

  test('is served where its work in the background was done', async () => {
    await using stage = await startStage()
    const client = connect(stage)
    const { id } = await ask(client, { background: true })
    const { output } = await client.responses.retrieve(id)
    stage.configure(preferB)

    expect(accountOf(await ask(client, { input: output as [] }))).toBe('a')
  })
})
