import { describe, expect, test } from 'vitest'

import { GatewayError, type GatewayPlugin, definePlugin } from '../../../src/index.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { openaiVersions } from './openai.ts'
import { caught, startWalk } from './walk.ts'

type Hook = 'onAuthenticate' | 'onCaller' | 'onCall' | 'onCandidates' | 'onAttempt'

/** A plugin whose hook throws, and how often it has. */
function refusing(hook: Hook, error: () => GatewayError) {
  const state = { asked: 0 }
  const refuse = (): never => {
    state.asked++
    throw error()
  }
  const plugin: GatewayPlugin = definePlugin({ name: 'policy', [hook]: refuse })
  return { plugin, state }
}

const hooks: Hook[] = ['onAuthenticate', 'onCaller', 'onCall', 'onCandidates', 'onAttempt']

/** What a plugin throws, and what it becomes. */
const refusals = [
  {
    code: 'permission_denied',
    status: 403,
    openai: ['PermissionDeniedError', 'permission_error'],
    anthropic: ['PermissionDeniedError', 'permission_error'],
    google: 'PERMISSION_DENIED',
    options: {},
    after: null,
  },
  {
    code: 'quota_exceeded',
    status: 429,
    openai: ['RateLimitError', 'rate_limit_error'],
    anthropic: ['RateLimitError', 'rate_limit_error'],
    google: 'RESOURCE_EXHAUSTED',
    options: { retryAfterMs: 89_500 },
    after: '90',
  },
  {
    code: 'service_unavailable',
    status: 503,
    openai: ['InternalServerError', 'server_error'],
    anthropic: ['InternalServerError', 'overloaded_error'],
    google: 'UNAVAILABLE',
    options: { retryAfterMs: 2_000, retry: false },
    after: '2',
  },
  {
    code: 'plugin_rejected',
    status: 422,
    openai: ['UnprocessableEntityError', 'invalid_request_error'],
    anthropic: ['UnprocessableEntityError', 'invalid_request_error'],
    google: 'INVALID_ARGUMENT',
    options: {},
    after: null,
  },
] as const

const messages = [{ role: 'user' as const, content: 'hi' }]

describe.each(refusals)('a plugin that throws $code', (refusal) => {
  const { code, status, options, after } = refusal
  const error = () => new GatewayError(code, 'Not on a Sunday.', options)

  test.each(openaiVersions)('is a typed error of $name', async ({ OpenAI, connect }) => {
    const [name, type] = refusal.openai
    for (const hook of hooks) {
      const { plugin, state } = refusing(hook, error)
      await using walk = await startWalk({ plugins: [plugin] })
      const client = connect(walk)
      const model = 'sandbox/echo'
      for (const asked of [
        client.chat.completions.create({ model, messages }),
        client.responses.create({ model, input: 'hi', stream: true }),
      ]) {
        const refused = await caught(OpenAI.APIError, asked)
        expect(refused).toBeInstanceOf(OpenAI[name])
        expect(refused).toMatchObject({ status, type })
        expect(refused.message).toContain('Not on a Sunday.')
        expect(refused.error).toMatchObject({ details: [{ code }] })
        expect(new Headers(refused.headers).get('retry-after')).toBe(after)
      }
      // The SDK repeats neither of them.
      expect(state.asked).toBe(2)
    }
  })

  test.each(anthropicVersions)('is a typed error of $name', async ({ Anthropic, connect }) => {
    const [name, type] = refusal.anthropic
    for (const hook of hooks) {
      const { plugin, state } = refusing(hook, error)
      await using walk = await startWalk({ plugins: [plugin] })
      const asked = connect(walk).messages.create({
        model: 'sandbox/echo',
        max_tokens: 10,
        messages,
      })
      const refused = await caught(Anthropic.APIError, asked)
      expect(refused).toBeInstanceOf(Anthropic[name])
      expect(refused).toMatchObject({ status, error: { error: { type } } })
      expect(new Headers(refused.headers).get('retry-after')).toBe(after)
      expect(state.asked).toBe(1)
    }
  })

  test.each(genaiVersions)('is a typed error of $name', async ({ ApiError, connect }) => {
    for (const hook of hooks) {
      const { plugin } = refusing(hook, error)
      await using walk = await startWalk({ plugins: [plugin] })
      const { models } = connect(walk)
      const asked = models.generateContent({ model: 'sandbox/echo', contents: 'hi' })
      const refused = await caught(ApiError, asked)
      expect(refused.status).toBe(status)
      const { error: said } = JSON.parse(refused.message) as { error: Record<string, unknown> }
      expect(said).toMatchObject({ code: status, status: refusal.google })
      expect(said.message).toBe('Not on a Sunday.')
      // Its errors have no headers.
      const type = 'type.googleapis.com/google.rpc.RetryInfo'
      const times = after === null ? [] : [{ '@type': type, retryDelay: `${after}s` }]
      expect(said.details).toEqual([expect.objectContaining({ domain: 'dragoman' }), ...times])
    }
  })
})

test('a quota that is free again soon is asked for again by the SDK itself', async () => {
  let asked = 0
  const plugin = definePlugin({
    name: 'quota',
    onCall({ next }) {
      if (asked++ > 0) return next()
      throw new GatewayError('quota_exceeded', 'In a moment.', { retryAfterMs: 1 })
    },
  })
  await using walk = await startWalk({ plugins: [plugin] })
  const client = openaiVersions.at(-1)!.connect(walk)
  const answer = await client.chat.completions.create({ model: 'sandbox/echo', messages })
  expect(answer.choices[0]?.message.content).toContain('hi')
  expect(asked).toBe(2)
})
