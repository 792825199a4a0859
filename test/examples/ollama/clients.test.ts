import { Ollama } from 'ollama'
import { describe, expect, test } from 'vitest'

import {
  answerJson,
  createTestGateway,
  startFakeAccount,
  startSandbox,
  type TestGateway,
} from '../../../src/testing/index.ts'
import { dialects } from '../../matrix/dialects.ts'
import { answerChat } from './account.ts'
import { ollama } from './plugin.ts'

/** A gateway that speaks the dialect, before an account that speaks another one only. */
async function stage(dialect: string) {
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    plugins: [ollama()],
    accounts: [
      {
        id: 'foreign',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        speaks: [dialect],
        models: ['sandbox/echo', 'sandbox/*'],
      },
    ],
  })
  return {
    sandbox,
    gateway,
    client: clientOf(gateway),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}

async function readAll<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const read: Line[] = []
  for await (const line of lines) read.push(line)
  return read
}

function clientOf({ url, key }: TestGateway): Ollama {
  return new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } })
}

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'hear me' },
]
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const lookOut = {
  type: 'function',
  function: {
    name: 'look_out',
    description: 'Looks out of a window.',
    parameters: {
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
    },
  },
}

describe.each(dialects)('the SDK of Ollama on an account of %s', (dialect) => {
  test('reads a reply and its usage', async () => {
    await using scene = await stage(dialect)
    const options = { temperature: 0.5, num_predict: 90 }
    const reply = await scene.client.chat({ model: 'sandbox/echo', messages, options })
    expect(reply).toMatchObject({
      message: { role: 'assistant', content: 'You said: hear me' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: expect.any(Number),
      eval_count: 4,
    })
  })

  test('reads a stream line by line', async () => {
    await using scene = await stage(dialect)
    const lines = await readAll(
      await scene.client.chat({ model: 'sandbox/echo', messages, stream: true }),
    )
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.map(({ message }) => message.content).join('')).toBe('You said: hear me')
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', eval_count: 4 })
    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({ dialect: 'ollama', account_dialect: dialect, output_tokens: 4 })
  })

  test.each([false, true])('has tools called, streamed: %s', async (stream) => {
    await using scene = await stage(dialect)
    const ask = { model: 'sandbox/tool', tools: [lookOut] }
    const history = [{ role: 'user', content: 'what is there?' }]
    const send = async (sent: typeof history) => {
      if (!stream) return [await scene.client.chat({ ...ask, messages: sent })]
      return readAll(await scene.client.chat({ ...ask, messages: sent, stream: true }))
    }
    const called = (await send(history)).find(({ message }) => message.tool_calls)!
    expect(called.message.tool_calls).toMatchObject([
      { function: { name: 'look_out', arguments: { place: 'example' } } },
    ])
    const result = { role: 'tool', content: 'a market', tool_name: 'look_out' }
    const last = await send([...history, called.message, result])
    expect(last.map(({ message }) => message.content).join('')).toBe('The tool answered: a market')
  })

  test('sends images', async () => {
    await using scene = await stage(dialect)
    const shown = [{ role: 'user', content: 'what is this?', images: [image] }]
    await scene.client.chat({ model: 'sandbox/echo', messages: shown })
    expect(scene.sandbox.requests[0]!.body.toString()).toContain(image)
  })

  test('lists the models, and raises errors', async () => {
    await using scene = await stage(dialect)
    const { models } = await scene.client.list()
    expect(models.map(({ name }) => name)).toContain('sandbox/echo')
    const wrong = scene.client.chat({ model: 'unknown', messages })
    await expect(wrong).rejects.toMatchObject({
      status_code: 404,
      error: expect.stringContaining('`unknown`'),
    })
  })
})

test('the SDK reads the bytes of an account of Ollama, whole and streamed', async () => {
  await using account = await startFakeAccount(answerChat)
  await using gateway = await createTestGateway({
    plugins: [ollama()],
    accounts: [{ id: 'local', provider: 'ollama', baseUrl: account.url, models: ['*'] }],
  })
  const client = clientOf(gateway)
  const reply = await client.chat({ model: 'llama3.3', messages })
  expect(reply.message.content).toBe('hear me')
  const lines = await client.chat({ model: 'llama3.3', messages, stream: true })
  const texts = (await readAll(lines)).map(({ message }) => message.content)
  expect(texts).toEqual(['hear ', 'me', ''])
  expect((await gateway.logged(2))[1]).toMatchObject({ stream_end: 'complete', output_tokens: 2 })
})

test('the SDK raises the error of an account, and of a stream without its last line', async () => {
  let answer = answerJson({ error: 'model requires more system memory' }, { status: 500 })
  await using account = await startFakeAccount((...given) => answer(...given))
  await using gateway = await createTestGateway({
    plugins: [ollama()],
    accounts: [{ id: 'local', provider: 'ollama', baseUrl: account.url, models: ['*'] }],
  })
  const client = clientOf(gateway)
  const ask = () => client.chat({ model: 'llama3.3', messages, stream: true })
  await expect(ask()).rejects.toMatchObject({ error: 'model requires more system memory' })
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end('{"model":"m","message":{"role":"assistant","content":"hear"},"done":false}\n')
  }
  await expect(ask().then((lines) => readAll(lines))).rejects.toThrow(/ended before/)
})
