import { describe, expect, test } from 'vitest'

import { createTestGateway, startFakeAccount } from '../../../src/testing/index.ts'
import { clients, names } from '../../third-party/shout-dialect/translated/clients/index.ts'
import { lookout } from '../../third-party/shout-dialect/translated/stage.ts'
import { answerChat, read } from './account.ts'
import { ollama } from './plugin.ts'

async function stage(answer = answerChat) {
  const account = await startFakeAccount(answer)
  const gateway = await createTestGateway({
    plugins: [ollama()],
    accounts: [{ id: 'local', provider: 'ollama', baseUrl: account.url, models: ['*'] }],
  })
  return {
    account,
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

const ways = [
  { how: 'as JSON', stream: false },
  { how: 'streamed', stream: true },
]

describe.each(names)('a client of %s on an account of Ollama', (name) => {
  const client = clients[name]

  test.each(ways)('is served, $how', async ({ stream }) => {
    await using scene = await stage()
    const system = 'Be brief.'
    const talk = client.open({ ...scene.gateway, model: 'llama3.3', stream, system })

    expect(await talk.say('hear me')).toEqual({
      text: 'hear me',
      calls: [],
      ending: client.done,
      usage: [3, 2],
    })
    expect(await talk.say('once more')).toMatchObject({ text: 'once more' })
    const request = scene.account.requests[1]!
    expect(request.url).toBe('/api/chat')
    expect(request.headers.accept).toBe(stream ? 'application/x-ndjson' : 'application/json')
    expect(read(request)).toMatchObject({
      model: 'llama3.3',
      stream,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hear me' },
        { role: 'assistant', content: 'hear me' },
        { role: 'user', content: 'once more' },
      ],
    })
  })

  test.each(ways)('has tools called and returns their results, $how', async ({ stream }) => {
    await using scene = await stage()
    const helpers = [lookout]
    const talk = client.open({ ...scene.gateway, model: 'llama3.3', stream, helpers })

    const { calls, ending } = await talk.say('what is there?')
    expect(calls).toMatchObject([{ name: 'look_out', input: { place: 'Rome' } }])
    expect(ending).toBe(client.waiting)
    expect(await talk.answer(calls, 'a market')).toMatchObject({
      text: 'a market',
      ending: client.done,
    })
    expect(read(scene.account.requests[1]!).messages).toMatchObject([
      { role: 'user', content: 'what is there?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'look_out', arguments: { place: 'Rome' } } }],
      },
      { role: 'tool', content: 'a market', tool_call_id: expect.any(String) },
    ])
  })

  test('gets a typed error for a line with an error, and for a stream without its last line', async () => {
    for (const ending of ['{"error":"out of memory"}\n', '']) {
      await using scene = await stage((response) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' })
        response.write(
          '{"model":"m","message":{"role":"assistant","content":"hear"},"done":false}\n',
        )
        response.end(ending)
      })
      const talk = client.open({ ...scene.gateway, model: 'llama3.3', stream: true })
      const raised = await talk.say('hear me').catch((error: unknown) => error)
      expect(client.isRaised(raised), String(raised)).toBe(true)
    }
  })
})
