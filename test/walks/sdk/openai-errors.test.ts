import { describe, expect, test } from 'vitest'

import { openaiVersions, requestIdOf } from './openai.ts'
import { caught, loggedId, startWalk } from './walk.ts'

const question = { model: 'sandbox/echo', input: 'hi there' }

const refusals = [
  { status: 400, name: 'BadRequestError', type: 'invalid_request_error' },
  { status: 404, name: 'NotFoundError', type: 'invalid_request_error' },
  { status: 422, name: 'UnprocessableEntityError', type: 'invalid_request_error' },
  { status: 429, name: 'RateLimitError', type: 'requests' },
  { status: 500, name: 'InternalServerError', type: 'server_error' },
  { status: 503, name: 'InternalServerError', type: 'server_error' },
] as const

describe.for(openaiVersions)('$name, errors', ({ OpenAI, connect }) => {
  test('a client with a wrong key is not known', async () => {
    await using walk = await startWalk()
    const client = connect(walk, { apiKey: 'wrong' })
    const error = await caught(OpenAI.APIError, client.responses.create(question))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 401, type: 'authentication_error' })
    expect(error.message).toBe('401 The API key is not valid.')
    expect(requestIdOf(error)).toBe(await loggedId(walk))
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that asks for an unknown model is told so', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, model: 'acme/unknown' })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    expect(error).toMatchObject({ status: 404, type: 'invalid_request_error', param: 'model' })
    expect(error.message).toContain('acme/unknown')
    expect(requestIdOf(error)).toBe(await loggedId(walk))
  })

  test('a client that breaks a bound of the contract is told which', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, temperature: 9 })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ status: 400, code: 400, param: 'temperature' })
    expect(error.error).toMatchObject({ details: [{ code: 'invalid_value' }] })
    expect(requestIdOf(error)).toBe(await loggedId(walk))
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that the account refuses reads the words of the account', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, max_output_tokens: 1 })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ type: 'invalid_request_error', param: 'max_output_tokens' })
    expect(error.message).toContain('Expected a value >= 16')
    expect(error.error).toMatchObject({ details: [{ code: 'number_below_min_value' }] })
    expect(requestIdOf(error)).toBe(await loggedId(walk))
  })

  test('a client that goes on from a blank response is told in the envelope of chaining', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, previous_response_id: '' })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({
      code: 'invalid_value',
      param: 'previous_response_id',
      type: 'invalid_request_error',
    })
    expect(requestIdOf(error)).toBe(await loggedId(walk))
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that goes on from an unknown response is told in the envelope of chaining', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, previous_response_id: 'resp_0' })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      type: 'invalid_request_error',
    })
  })

  test.for(refusals)('$status of every account is a $name', async ({ status, name, type }) => {
    await using walk = await startWalk()
    const { chat, responses } = connect(walk)
    const model = `sandbox/status=${status}+message=not+code=so`
    const messages = [{ role: 'user' as const, content: 'hi' }]
    for (const asked of [
      () => responses.create({ ...question, model }),
      () => chat.completions.create({ model, messages }),
      () => chat.completions.create({ model, messages, stream: true }),
    ]) {
      const error = await caught(OpenAI.APIError, asked())
      expect(error).toBeInstanceOf(OpenAI[name])
      expect(error).toMatchObject({ status, type, message: `${status} not` })
      expect(error.error).toMatchObject({ code: status, details: [{ code: 'so' }] })
    }
  })

  test("a client may be given the account's own errors", async () => {
    await using walk = await startWalk({ errors: 'upstream' })
    const model = 'sandbox/status=429+message=not+code=so'
    const error = await caught(
      OpenAI.APIError,
      connect(walk).responses.create({ ...question, model }),
    )
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error).toMatchObject({ code: 'so', type: 'requests', message: '429 not' })
  })

  test('a client is not blamed for accounts whose own keys are refused', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, model: 'sandbox/status=401' })
    const error = await caught(OpenAI.APIError, asked)
    expect(error).toBeInstanceOf(OpenAI.InternalServerError)
    expect(error).toMatchObject({ status: 502, type: 'server_error' })
    // The gateway also checks the accounts by itself.
    const calls = walk.sandbox.requests.filter(({ method }) => method === 'POST')
    expect(calls).toHaveLength(2)
  })

  test('a client does not try again what the gateway has tried with every account', async () => {
    await using walk = await startWalk()
    for (const status of [429, 500, 503]) {
      const model = `sandbox/status=${status}`
      await caught(OpenAI.APIError, connect(walk).responses.create({ ...question, model }))
    }
    const asked = walk.sandbox.requests.map(({ account }) => account)
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  })

  test('a client does not try again what is in conflict', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).responses.create({ ...question, model: 'sandbox/status=409' })
    expect(await caught(OpenAI.APIError, asked)).toBeInstanceOf(OpenAI.ConflictError)
    expect(walk.sandbox.requests).toHaveLength(1)
  })
})
