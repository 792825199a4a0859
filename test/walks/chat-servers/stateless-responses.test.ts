import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { responsesDialect } from '../../../plugins/dialects/responses/index.ts'
import type { ProviderPreset } from '../../../src/contract/provider.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'

const reply = {
  id: 'resp_of_account',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Ann.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
}

/** A gateway before one Responses server that stores nothing. */
async function before(lacks?: readonly 'stored-responses'[]) {
  const server = await startFakeAccount(answerJson(reply))
  const gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider,
        baseUrl: `${server.url}/v1`,
        speaks: ['responses'],
        models: ['m'],
        ...(lacks && { lacks }),
      },
    ],
  })
  return {
    server,
    send: (path: string, fields?: object) =>
      fetch(`${gateway.url}/v1/${path}`, {
        method: fields ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        ...(fields && { body: JSON.stringify(fields) }),
      }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const providers: Record<string, ProviderPreset> = responsesDialect.upstream!.providers
const provider = 'openai-compatible'
beforeAll(() => {
  providers[provider] = { lacks: ['stored-responses'], onlyIfNamed: true }
})
afterAll(() => {
  delete providers[provider]
})

describe.each([
  { by: 'its account', lacks: ['stored-responses'] as const },
  { by: 'the preset of its provider', lacks: undefined },
])('where $by says so', ({ lacks }) => {
  test('a chain at a Responses server that stores nothing goes on with the stored conversation', async () => {
    await using scene = await before(lacks)
    const { server, send } = scene
    const call = (path: string, fields?: object) =>
      send(`responses${path}`, fields && { model: 'm', ...fields })

    const first = await (await call('', { input: 'Who?' })).json()
    const second = await call('', { input: 'Sure?', previous_response_id: first.id })
    expect(second.status, await second.text()).toBe(200)

    const sent = JSON.parse(server.requests[1]!.body.toString())
    expect(sent).not.toHaveProperty('previous_response_id')
    expect(JSON.stringify(sent.input)).toMatch(/Who\?.*Ann\..*Sure\?/)
    expect(await (await call(`/${first.id}`)).json()).toMatchObject({ id: first.id })
    expect(server.requests).toHaveLength(2)

    const native = { model: 'm', input: 'Alone.', store: false, unknown_field: 1 }
    expect((await call('', native)).status).toBe(200)
    expect(JSON.parse(server.requests[2]!.body.toString())).toEqual(native)
  })

  test('a conversation at a Responses server that stores nothing is kept by the gateway', async () => {
    await using scene = await before(lacks)
    const { server, send } = scene
    const say = (role: string, content: string) => ({ type: 'message', role, content })
    const created = await send('conversations', { items: [say('developer', 'Be brief.')] })
    const { id: conversation } = await created.json()
    expect(created.status).toBe(200)

    for (const input of ['Who?', 'Sure?']) {
      const answered = await send('responses', { model: 'm', input, conversation })
      expect(answered.status, await answered.text()).toBe(200)
    }
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/responses', '/v1/responses'])
    const sent = JSON.parse(server.requests[1]!.body.toString())
    expect(sent).not.toHaveProperty('conversation')
    expect(JSON.stringify(sent)).toMatch(/Be brief\..*Who\?.*Ann\..*Sure\?/)
    const { data } = await (await send(`conversations/${conversation}/items?order=asc`)).json()
    expect(data).toHaveLength(5)

    const unknown = { model: 'm', input: 'Who?', conversation: 'conv_unknown' }
    expect((await send('responses', unknown)).status).toBe(404)
  })
})
