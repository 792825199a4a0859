import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText } from 'ai'
import { expect, test } from 'vitest'

import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { aiProviders, once } from './ai.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { openaiVersions } from './openai.ts'
import { startWalk, type Walk } from './walk.ts'

const model = 'sandbox/echo'
const messages = [{ role: 'user' as const, content: 'hi' }]
const message = { model, max_tokens: 100, messages }
const prompt = 'hi'

const secret = 'test-secret'
const bearer = { authorization: `Bearer ${secret}` }
const xApiKey = { 'x-api-key': secret }
const xGoogApiKey = { 'x-goog-api-key': secret }

interface Presentation {
  readonly client: string
  /** The headers with credentials that the client sends. */
  readonly sent: Record<string, string>
  /** Those that the account gets from the gateway. */
  readonly forwarded: Record<string, string>
  ask(walk: Walk): Promise<unknown>
}

const toOpenAI = { authorization: 'Bearer sandbox-key-a' }
const toAnthropic = { 'x-api-key': 'sandbox-key-a' }
const toGemini = { 'x-goog-api-key': 'sandbox-key-a' }

const presentations: Presentation[] = [
  ...openaiVersions.map(({ name, connect }) => ({
    client: name,
    sent: bearer,
    forwarded: toOpenAI,
    ask: (walk: Walk) => connect(walk).chat.completions.create({ model, messages }),
  })),
  ...anthropicVersions.flatMap(({ name, connect }) => [
    {
      client: `${name} with an API key`,
      sent: name.endsWith('0.x') ? xApiKey : bearer,
      forwarded: toAnthropic,
      ask: (walk: Walk) => connect(walk).messages.create(message),
    },
    {
      client: `${name} with a token`,
      sent: bearer,
      forwarded: toAnthropic,
      ask: (walk: Walk) =>
        connect(walk, { apiKey: null, authToken: secret }).messages.create(message),
    },
  ]),
  ...genaiVersions.map(({ name, connect }) => ({
    client: name,
    sent: xGoogApiKey,
    forwarded: toGemini,
    ask: (walk: Walk) => connect(walk).models.generateContent({ model, contents: 'hi' }),
  })),
  ...aiProviders.map((provider) => ({
    client: provider.name,
    ...aiHeaders(provider.name),
    ask: (walk: Walk) => generateText({ ...once, model: provider.model(walk, model), prompt }),
  })),
  {
    client: '@ai-sdk/anthropic with a token',
    sent: bearer,
    forwarded: toAnthropic,
    ask: ({ gateway }) => {
      const anthropic = createAnthropic({ authToken: secret, baseURL: `${gateway.url}/v1` })
      return generateText({ ...once, model: anthropic(model), prompt })
    },
  },
]

test.for(presentations)('$client is known by its credential', async ({ sent, forwarded, ask }) => {
  const seen: unknown[] = []
  const watcher: GatewayPlugin = {
    name: 'watcher',
    onExchange({ exchange, next }) {
      seen.push(credentialsOf(exchange.request.headers))
      return next()
    },
  }
  await using walk = await startWalk({ plugins: [watcher] })
  await ask(walk)
  expect(seen).toEqual([sent])
  expect(walk.sandbox.requests.map(({ headers }) => credentialsOf(headers))).toEqual([forwarded])
})

test('a client of Gemini may put its key into the query, which the account never sees', async () => {
  await using walk = await startWalk()
  const { url, key } = walk.gateway
  const answer = await fetch(`${url}/v1beta/models/${model}:generateContent?key=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
  })
  expect(answer.status).toBe(200)
  const [request] = walk.sandbox.requests
  expect(request?.url).not.toContain('key')
  expect(credentialsOf(request?.headers ?? {})).toEqual(toGemini)
})

test("of two credentials the one in the dialect's own header decides", async () => {
  await using walk = await startWalk()
  const [oldAnthropic] = anthropicVersions
  const anthropic = oldAnthropic!.connect(walk, { authToken: 'another' })
  expect((await anthropic.messages.create(message)).role).toBe('assistant')

  for (const { connect } of genaiVersions) {
    const headers = { authorization: 'Bearer another' }
    const httpOptions = { baseUrl: walk.gateway.url, headers }
    const { models } = connect(walk, { httpOptions })
    expect((await models.generateContent({ model, contents: 'hi' })).text).toBe('You said: hi')
  }
})

function aiHeaders(provider: string): Pick<Presentation, 'sent' | 'forwarded'> {
  if (provider.includes('anthropic')) return { sent: xApiKey, forwarded: toAnthropic }
  if (provider.includes('google')) return { sent: xGoogApiKey, forwarded: toGemini }
  return { sent: bearer, forwarded: toOpenAI }
}

function credentialsOf(headers: NodeJS.Dict<string | string[]>): Record<string, unknown> {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']
  const present = names.filter((name) => headers[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, headers[name]]))
}
