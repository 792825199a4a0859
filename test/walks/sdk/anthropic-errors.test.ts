import { describe, expect, test } from 'vitest'

import { anthropicVersions } from './anthropic.ts'
import { caught, loggedId, startWalk } from './walk.ts'

const question = {
  model: 'sandbox/echo',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'hi there' }],
}

/** The classes, and what stood for them before version 1.0. */
const refusals = [
  { status: 400, name: 'BadRequestError', older: 'BadRequestError', type: 'invalid_request_error' },
  { status: 404, name: 'NotFoundError', older: 'NotFoundError', type: 'not_found_error' },
  { status: 413, name: 'ContentTooLargeError', older: 'APIError', type: 'request_too_large' },
  { status: 429, name: 'RateLimitError', older: 'RateLimitError', type: 'rate_limit_error' },
  { status: 500, name: 'InternalServerError', older: 'InternalServerError', type: 'api_error' },
  { status: 504, name: 'GatewayTimeoutError', older: 'InternalServerError', type: 'timeout_error' },
  { status: 529, name: 'OverloadedError', older: 'InternalServerError', type: 'overloaded_error' },
] as const

describe.for(anthropicVersions)('$name, errors', ({ Anthropic, connect }) => {
  test('a client with a wrong key is not known', async () => {
    await using walk = await startWalk()
    const asked = connect(walk, { apiKey: 'wrong' }).messages.create(question)
    const error = await caught(Anthropic.APIError, asked)
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error' })
    expect(error.message).toContain('The API key is not valid.')
    expect(error.requestID).toBe(await loggedId(walk))
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that asks for an unknown model is told so', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).messages.create({ ...question, model: 'acme/unknown' })
    const error = await caught(Anthropic.APIError, asked)
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(error).toMatchObject({ status: 404, type: 'not_found_error' })
    expect(error.message).toContain('acme/unknown')
    expect(error.requestID).toBe(await loggedId(walk))
  })

  test('a client that breaks a bound of the contract is told which', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).messages.create({ ...question, max_tokens: -1 })
    const error = await caught(Anthropic.APIError, asked)
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(error.error).toMatchObject({
      error: { code: 400, details: [{ code: 'invalid_value', param: 'max_tokens' }] },
    })
    expect(error.requestID).toBe(await loggedId(walk))
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that the account refuses reads the words of the account', async () => {
    await using walk = await startWalk()
    const messages = [{ role: 'user' as const, content: '' }]
    const asked = connect(walk).messages.create({ ...question, messages })
    const error = await caught(Anthropic.APIError, asked)
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error.message).toContain('user messages must have non-empty content')
    expect(error.requestID).toBe(await loggedId(walk))
  })

  test.for(refusals)('$status of every account is a $name', async (refusal) => {
    const { status, name, older, type } = refusal
    await using walk = await startWalk()
    const { messages } = connect(walk)
    const asked = { ...question, model: `sandbox/status=${status}+message=not` }
    for (const ask of [
      () => messages.create(asked),
      () => messages.create({ ...asked, stream: true }),
      () => messages.stream(asked).finalMessage(),
    ]) {
      const error = await caught(Anthropic.APIError, ask())
      expect(error).toBeInstanceOf(Anthropic[name] ?? Anthropic[older])
      expect(error).toMatchObject({ status, type })
      expect(error.error).toMatchObject({ type: 'error', error: { code: status, message: 'not' } })
    }
  })

  test('a client learns the particular code of an error that the account knows', async () => {
    await using walk = await startWalk()
    const model = 'sandbox/status=404+code=thread_not_found'
    const error = await caught(
      Anthropic.APIError,
      connect(walk).messages.create({ ...question, model }),
    )
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(error.error).toMatchObject({ error: { details: { error_code: 'thread_not_found' } } })
  })

  test('a client does not try again what the gateway has tried with every account', async () => {
    await using walk = await startWalk()
    for (const status of [429, 500, 529]) {
      const model = `sandbox/status=${status}`
      await caught(Anthropic.APIError, connect(walk).messages.create({ ...question, model }))
    }
    const asked = walk.sandbox.requests.map(({ account }) => account)
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  })

  test('a client does not try again what is in conflict', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).messages.create({ ...question, model: 'sandbox/status=409' })
    expect(await caught(Anthropic.APIError, asked)).toBeInstanceOf(Anthropic.ConflictError)
    expect(walk.sandbox.requests).toHaveLength(1)
  })
})
