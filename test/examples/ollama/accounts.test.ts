import { describe, expect, test } from 'vitest'

import {
  createTestGateway,
  startFakeAccount,
  type TestGateway,
} from '../../../src/testing/index.ts'
import { endings } from '../../matrix/cases/endings.ts'
import type { Settings } from '../../matrix/conversation.ts'
import { dialects } from '../../matrix/dialects.ts'
import { drivers } from '../../matrix/drivers/index.ts'
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

const lookOut = {
  name: 'look_out',
  description: 'Looks out of a window.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

const ways = [
  { how: 'as JSON', stream: false },
  { how: 'streamed', stream: true },
]

describe.each(dialects)('a client of %s on an account of Ollama', (name) => {
  const driver = drivers[name]
  const open = ({ url, key }: TestGateway, stream: boolean, settings: Settings = {}) =>
    driver.open({ url, key, model: 'llama3.3', stream, settings, fetch })

  test.each(ways)('is served, $how', async ({ stream }) => {
    await using scene = await stage()
    const talk = open(scene.gateway, stream, { system: 'Be brief.' })

    expect(await talk.say([{ text: 'hear me' }])).toMatchObject({
      text: 'hear me',
      calls: [],
      ending: endings.done[name],
      usage: { input: 3, output: 2 },
    })
    expect(await talk.say([{ text: 'once more' }])).toMatchObject({ text: 'once more' })
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
    const talk = open(scene.gateway, stream, { tools: [lookOut] })

    const { calls, ending } = await talk.say([{ text: 'what is there?' }])
    expect(calls).toMatchObject([{ name: 'look_out', input: { place: 'Rome' } }])
    expect(ending).toBe(endings.calls[name])
    expect(await talk.answer(calls.map((call) => ({ call, text: 'a market' })))).toMatchObject({
      text: 'a market',
      ending: endings.done[name],
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
      const talk = open(scene.gateway, true)
      const raised = await talk.say([{ text: 'hear me' }]).catch((error: unknown) => error)
      expect(driver.problemOf(raised).raised, String(raised)).toMatch(/Error$/)
    }
  })
})
