import { expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { explain } from '../../admin/explaining.ts'
import { startAdminGateway } from '../../admin/admin-gateway.ts'
import { bodyOf, startMixed } from '../losses/mixed.ts'
import { startPool, callsTo } from '../failover/pool.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { changing, masking, offering } from './changers.ts'

const plugins = [masking('hello', 'good day')]

test('an account that takes over gets the changed request too, and the plugin runs once', async () => {
  let runs = 0
  const counting = changing((request) => {
    runs++
    return request
  })
  const refusing = answerJson({ error: { message: 'busy' } }, { status: 500 })
  await using pool = await startPool(
    form.chat,
    { a: refusing, b: answerJson(form.chat.reply) },
    { plugins: [...plugins, counting] },
  )
  const response = await ask(pool.gateway, form.chat, { stream: false })

  expect(response.status).toBe(200)
  for (const account of [pool.accounts.a, pool.accounts.b]) {
    const [request] = callsTo(account)
    expect(request?.body.toString()).toContain('good day')
    expect(request?.body.toString()).not.toContain('hello')
  }
  expect(runs).toBe(1)
})

const counted = {
  messages: {
    path: '/v1/messages/count_tokens',
    body: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
    headers: { 'anthropic-version': '2023-06-01' },
  },
  responses: {
    path: '/v1/responses/input_tokens',
    body: { model: 'm', input: 'hello' },
    headers: {},
  },
  generate: {
    path: '/v1beta/models/m:countTokens',
    body: { contents: [{ parts: [{ text: 'hello' }] }] },
    headers: {},
  },
} as const
const replies = {
  messages: { input_tokens: 3 },
  responses: { object: 'response.input_tokens', input_tokens: 3 },
  generate: { totalTokens: 3 },
}
const names = ['messages', 'responses', 'generate'] as const
const pairs = names.flatMap((client) => names.map((account) => ({ client, account })))

test.each(pairs)(
  'tokens of $client counted by $account are those of the changed request',
  async (pair) => {
    const script = answerJson(replies[pair.account])
    const more = [
      ...plugins,
      offering({ kind: 'function', name: 'f', parameters: { type: 'object' } }),
    ]
    await using mixed = await startMixed(
      { a: { form: form[pair.account], script } },
      { plugins: more },
    )
    const { path, body, headers } = counted[pair.client]
    const response = await fetch(mixed.gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${mixed.gateway.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })

    expect(response.status).toBe(200)
    const sent = JSON.stringify(bodyOf(mixed.accounts.a))
    expect(sent).toContain('good day')
    expect(sent).not.toContain('hello')
  },
)

test('what the gateway stores of a conversation is what the account got', async () => {
  await using mixed = await startMixed({ a: { form: form.chat } }, { plugins })
  const ways = { stream: false, fields: { input: 'hello, keep this' } }
  const first = (await (await ask(mixed.gateway, form.responses, ways)).json()) as { id: string }
  const items = await fetch(`${mixed.gateway.url}/v1/responses/${first.id}/input_items`, {
    headers: { authorization: `Bearer ${mixed.gateway.key}` },
  })
  expect(await items.text()).toContain('good day, keep this')

  const fields = { input: 'and hello', previous_response_id: first.id }
  const second = await ask(mixed.gateway, form.responses, { stream: false, fields })
  expect(second.status).toBe(200)
  const [, sent] = mixed.accounts.a.requests
  expect(sent?.body.toString()).toContain('good day, keep this')
  expect(sent?.body.toString()).toContain('and good day')
  expect(sent?.body.toString()).not.toContain('hello')
})

test('a compacted conversation is changed before it leaves', async () => {
  const script = answerJson({ id: 'resp_2', object: 'response.compaction', output: [] })
  await using mixed = await startMixed({ a: { form: form.responses, script } }, { plugins })
  const response = await fetch(`${mixed.gateway.url}/v1/responses/compact`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mixed.gateway.key}`,
      'content-type': 'application/json',
    },
    body: '{"model": "m", "input": "hello"}',
  })

  expect(response.status).toBe(200)
  expect(mixed.accounts.a.requests[0]?.body.toString()).toBe('{"model": "m", "input": "good day"}')
})

test('a tool that no account can carry is refused as that of a client is', async () => {
  const custom = offering({ kind: 'custom', name: 'note' })
  await using mixed = await startMixed({ a: { form: form.messages } }, { plugins: [custom] })
  const response = await ask(mixed.gateway, form.chat, { stream: false })

  expect(response.status).toBe(400)
  expect(await response.text()).toContain('tools[0]')
  expect(mixed.accounts.a.requests).toEqual([])
})

test('a tool that another account can carry goes there', async () => {
  const custom = offering({ kind: 'custom', name: 'note' })
  await using mixed = await startMixed(
    {
      a: { form: form.messages, settings: { priority: 0 } },
      b: { form: form.responses, settings: { priority: 1 } },
    },
    { plugins: [custom] },
  )
  const response = await ask(mixed.gateway, form.chat, { stream: false })

  expect(response.headers.get('x-dragoman-account')).toBe('b')
  expect(mixed.accounts.a.requests).toEqual([])
})

test("a tool that the client's dialect cannot carry is told as a loss", async () => {
  const custom = offering({ kind: 'custom', name: 'note' })
  await using mixed = await startMixed({ a: { form: form.generate } }, { plugins: [custom] })
  const response = await ask(mixed.gateway, form.generate, { stream: false })

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')).toContain('tools.note')
  const [line] = await mixed.gateway.logged(1)
  expect(line?.losses).toContain('tools.note')
})

test('a dry run asks the plugin, which learns that it is one', async () => {
  const dry: boolean[] = []
  const watching = definePlugin({
    name: 'watching',
    onRequest({ exchange, request }) {
      dry.push(exchange.isDryRun)
      return { ...request, tools: [{ kind: 'custom', name: 'note' }] }
    },
  })
  await using mixed = await startMixed({ a: { form: form.messages } })
  await using gateway = await startAdminGateway({
    plugins: [watching],
    accounts: [
      { id: 'a', provider: 'anthropic', baseUrl: mixed.accounts.a.url, apiKey: 'k', models: ['m'] },
    ],
  })
  const explained = await explain(gateway, { dialect: 'chat', model: 'm' })

  expect(explained.excluded).toMatchObject([{ accountId: 'a', field: 'tools[0]' }])
  expect(dry).toEqual([true])
  expect(mixed.accounts.a.requests).toEqual([])
})
