import { GoogleGenAI as GoogleGenAI1 } from 'genai-1'
import { GoogleGenAI as GoogleGenAI2 } from 'genai-2'
import { GoogleGenAI as GoogleGenAI3 } from 'genai-3'
import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'

const sdks = { v1: GoogleGenAI1, v2: GoogleGenAI2, v3: GoogleGenAI3 }

function chunk(text: string, finishReason?: string): string {
  const candidate = { content: { parts: [{ text }], role: 'model' }, finishReason, index: 0 }
  return `data: ${JSON.stringify({ candidates: [candidate], modelVersion: 'm' })}\n\n`
}

test.each(['v1', 'v2', 'v3'] as const)(
  'a chat of the SDK %s keeps its turns when its account falls silent in the middle',
  async (version) => {
    const silence = Promise.withResolvers<void>()
    let isFirst = true
    await using account = await startFakeAccount(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('Hello'))
      if (isFirst) await silence.promise
      isFirst = false
      response.end(chunk(' there.', 'STOP'))
    })
    await using gateway = await createTestGateway({
      accounts: [{ id: 'a', provider: 'gemini', baseUrl: account.url, apiKey: 'k', models: ['*'] }],
      timeouts: { keepAliveMs: 100 },
    })
    const options = { apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } }
    const chat = new sdks[version](options).chats.create({ model: 'm' })

    let chunks = 0
    let said = ''
    const reading = (async () => {
      for await (const { text } of await chat.sendMessageStream({ message: 'Hi' })) {
        chunks++
        said += text ?? ''
      }
    })()
    await until(() => chunks > 2)
    silence.resolve()
    await reading

    expect(said).toBe('Hello there.')
    await chat.sendMessage({ message: 'And now?' }).catch(() => undefined)
    const { contents } = JSON.parse(account.requests.at(-1)!.body.toString()) as {
      contents: { role: string }[]
    }
    const roles = contents.map(({ role }) => role)
    expect(roles.filter((role, index) => role !== roles[index - 1])).toEqual([
      'user',
      'model',
      'user',
    ])
  },
)
