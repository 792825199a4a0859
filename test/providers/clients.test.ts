import Anthropic from 'anthropic-1'
import { GoogleGenAI } from 'genai-3'
import OpenAI from 'openai-7'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

/** The official clients in front of a gateway whose accounts are at clouds. */
async function startScene() {
  await using starting = new AsyncDisposableStack()
  const { url } = starting.use(await startSandbox())
  const file = join(await mkdtemp(join(tmpdir(), 'clients-')), 'service-account.json')
  await writeFile(file, await (await fetch(`${url}/google/service-account/a.json`)).text())
  const vertex = { provider: 'vertex', baseUrl: url, project: 'p', location: 'us-central1' }
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        {
          id: 'azure',
          provider: 'azure',
          baseUrl: url,
          apiKey: 'sandbox-key-a',
          models: { azure: 'sandbox/tool' },
        },
        {
          ...vertex,
          id: 'vertex',
          googleAuth: { file },
          models: { gemini: 'gemini-2.5-pro', claude: 'claude-tool', open: 'google/tool' },
        },
      ],
    }),
  )
  const { key: apiKey } = gateway
  const started = starting.move()
  return {
    gateway,
    openai: new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 }),
    genai: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } }
const weather = { name: 'weather', description: 'The weather of a city', parameters: schema }
const models = ['azure', 'gemini', 'claude', 'open']
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.each(models)('official clients read the model %s at its cloud', (model) => {
  test('as Chat Completions, whole and streamed, with tools and images', async () => {
    await using scene = await startScene()
    const asked = {
      model,
      messages: [
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: 'hello' },
            {
              type: 'image_url' as const,
              image_url: { url: `data:image/png;base64,${image}` },
            },
          ],
        },
      ],
      tools: [{ type: 'function' as const, function: weather }],
    }
    const whole = await scene.openai.chat.completions.create(asked)
    expect(whole.choices[0]?.finish_reason).toMatch(/stop|tool_calls/)
    const stream = scene.openai.chat.completions.stream(asked)
    expect((await stream.finalChatCompletion()).choices).toHaveLength(1)
  })

  test('as Responses, whole and streamed', async () => {
    await using scene = await startScene()
    const asked = {
      model,
      input: 'hello',
      tools: [{ type: 'function' as const, strict: false, ...weather }],
    }
    expect((await scene.openai.responses.create(asked)).status).toBe('completed')
    const stream = scene.openai.responses.stream(asked)
    expect((await stream.finalResponse()).status).toBe('completed')
  })

  test('as Messages, whole and streamed', async () => {
    await using scene = await startScene()
    const asked = {
      model,
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'hello' }],
      tools: [{ name: 'weather', input_schema: schema }],
    }
    expect((await scene.anthropic.messages.create(asked)).stop_reason).toMatch(/end_turn|tool_use/)
    const final = await scene.anthropic.messages.stream(asked).finalMessage()
    expect(final.stop_reason).toMatch(/end_turn|tool_use/)
  })

  test('as Gemini, whole and streamed', async () => {
    await using scene = await startScene()
    const asked = { model, contents: 'hello' }
    const whole = await scene.genai.models.generateContent(asked)
    expect(whole.candidates?.[0]?.finishReason).toBe('STOP')
    let last: string | undefined
    for await (const { candidates } of await scene.genai.models.generateContentStream(asked))
      last = candidates?.[0]?.finishReason ?? last
    expect(last).toBe('STOP')
  })
})

test('clients of each dialect read why a prompt was blocked, and the account stays', async () => {
  await using scene = await startScene()
  const content = 'sandbox: blocked prompt'
  for (let call = 0; call < 6; call++) {
    const chat = scene.openai.chat.completions.create({
      model: 'azure',
      messages: [{ role: 'user', content }],
    })
    await expect(chat).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('filtered') as unknown,
    })
  }
  const message = scene.anthropic.messages.create({
    model: 'azure',
    max_tokens: 9,
    messages: [{ role: 'user', content }],
  })
  await expect(message).rejects.toMatchObject({ status: 400 })
  const models = scene.genai.models.generateContent({ model: 'azure', contents: content })
  await expect(models).rejects.toMatchObject({ status: 400 })
  const fine = await scene.openai.responses.create({ model: 'azure', input: 'hello' })
  expect(fine.status).toBe('completed')
})
