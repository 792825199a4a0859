import Anthropic from 'anthropic-1'
import { GoogleGenAI } from 'genai-3'
import OpenAI from 'openai-7'
import { bedrock } from 'openai-7/providers/bedrock'
import { vertex } from 'openai-7/providers/vertex'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'

const project = 'p'
const location = 'europe-west4'

beforeEach(() => {
  for (const name of ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'AWS_BEARER_TOKEN_BEDROCK'])
    vi.stubEnv(name, undefined)
  return () => void vi.unstubAllEnvs()
})

/** The client of Google in the mode of Google Cloud, with a service account of a sandbox. */
async function googleAt({ url }: Sandbox) {
  const credentials = (await (
    await fetch(`${url}/google/service-account/a.json`)
  ).json()) as Record<string, string>
  // The library asks Google for tokens, whatever the file says.
  const fetchImplementation: typeof fetch = (input, init) => {
    const asked = input instanceof Request ? input.url : String(input)
    return fetch(asked.replace('https://oauth2.googleapis.com/token', `${url}/google/token`), init)
  }
  return new GoogleGenAI({
    vertexai: true,
    project,
    location,
    httpOptions: { baseUrl: url },
    googleAuthOptions: {
      credentials,
      clientOptions: { transporterOptions: { fetchImplementation } },
    },
  })
}

describe('the client of Google at the doors of Vertex AI', () => {
  test('reads replies, streams, counts and calls of tools, with a token of its service account', async () => {
    await using sandbox = await startSandbox()
    const client = await googleAt(sandbox)
    const model = 'gemini-2.5-pro'
    const asked = { model, contents: 'hello' }
    expect((await client.models.generateContent(asked)).text).toBe('You said: hello')
    let text = ''
    for await (const chunk of await client.models.generateContentStream(asked))
      text += chunk.text ?? ''
    expect(text).toBe('You said: hello')
    expect((await client.models.countTokens(asked)).totalTokens).toBeGreaterThan(0)
    const called = await client.models.generateContent({
      model: 'tool=weather',
      contents: 'hello',
      config: { tools: [{ functionDeclarations: [{ name: 'weather' }] }] },
    })
    expect(called.functionCalls).toMatchObject([{ name: 'weather' }])
    const paths = sandbox.requests.filter(({ url }) => url.includes('publishers'))
    expect(paths.every(({ url }) => url.includes(`/projects/p/locations/${location}/`))).toBe(true)
    expect(paths.every(({ headers }) => headers.authorization?.startsWith('Bearer '))).toBe(true)
  })

  test.each([
    [undefined, 'videoBytes'],
    ['gs://my-bucket/videos', 'uri'],
  ] as const)(
    'reads a video in the form that its request chooses: %s',
    async (outputGcsUri, member) => {
      await using sandbox = await startSandbox()
      const client = await googleAt(sandbox)
      let operation = await client.models.generateVideos({
        model: 'veo-3.0-generate-001',
        source: { prompt: 'a cat' },
        ...(outputGcsUri && { config: { outputGcsUri } }),
      })
      for (let polls = 0; !operation.done && polls < 5; polls++)
        operation = await client.operations.getVideosOperation({ operation })
      const [generated] = operation.response?.generatedVideos ?? []
      expect(generated?.video?.[member]).toEqual(expect.stringMatching(/^(?:gs:|[A-Za-z0-9+/]+)/))
    },
  )

  test('reads why it is refused', async () => {
    await using sandbox = await startSandbox()
    const client = await googleAt(sandbox)
    const asked = client.models.generateContent({ model: 'status=429', contents: 'hello' })
    await expect(asked).rejects.toMatchObject({ status: 429 })
  })
})

test('the client of OpenAI reads its models at Vertex AI, and no door takes a key for a token', async () => {
  await using sandbox = await startSandbox()
  const google = await googleAt(sandbox)
  await google.models.generateContent({ model: 'gemini-2.5-pro', contents: 'hello' })
  const { authorization = '' } = sandbox.requests.at(-1)!.headers
  const at = (token: string) =>
    new OpenAI({
      maxRetries: 0,
      provider: vertex({
        baseURL: `${sandbox.url}/v1/projects/p/locations/global/publishers/openai/v1`,
        tokenProvider: () => token,
      }),
    })
  const client = at(authorization.replace('Bearer ', ''))
  const asked = { model: 'gpt-5', input: 'hello' }
  expect((await client.responses.create(asked)).output_text).toBe('You said: hello')
  const streamed = await client.responses.stream(asked).finalResponse()
  expect(streamed.output_text).toBe('You said: hello')
  await expect(at('sandbox-key-a').responses.create(asked)).rejects.toMatchObject({ status: 401 })
})

test('the client of OpenAI reads its models at Bedrock with a key', async () => {
  await using sandbox = await startSandbox()
  const client = new OpenAI({
    maxRetries: 0,
    provider: bedrock({
      baseURL: `${sandbox.url}/openai/v1`,
      region: 'eu-central-1',
      apiKey: 'sandbox-key-a',
    }),
  })
  const model = 'openai.gpt-oss-120b-1:0'
  const reply = await client.responses.create({ model, input: 'hello' })
  expect(reply.output_text).toBe('You said: hello')
  const chat = await client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'hello' }],
  })
  expect(chat.choices[0]?.message.content).toBe('You said: hello')
})

test('the client of Anthropic reads Claude at Foundry and at Bedrock', async () => {
  await using sandbox = await startSandbox()
  const baseURL = `${sandbox.url}/anthropic`
  for (const key of [{ apiKey: 'sandbox-key-a' }, { authToken: 'sandbox-key-a', apiKey: null }]) {
    const client = new Anthropic({ ...key, baseURL, maxRetries: 0 })
    const asked = {
      model: 'anthropic.claude-opus-4-5',
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'hello' }],
    }
    const reply = await client.messages.create(asked)
    expect(reply.content).toMatchObject([{ type: 'text', text: 'You said: hello' }])
    const final = await client.messages.stream(asked).finalMessage()
    expect(final.content).toMatchObject([{ type: 'text', text: 'You said: hello' }])
    const { input_tokens: tokens } = await client.messages.countTokens({
      model: asked.model,
      messages: asked.messages,
    })
    expect(tokens).toBeGreaterThan(0)
  }
})
