import { describe, expect, test } from 'vitest'

import { genaiVersions, type GenAIVersion } from './genai.ts'
import { caught, startWalk } from './walk.ts'

const question = { model: 'sandbox/echo', contents: 'hi there' }

const refusals = [
  { status: 400, name: 'INVALID_ARGUMENT' },
  { status: 404, name: 'NOT_FOUND' },
  { status: 429, name: 'RESOURCE_EXHAUSTED' },
  { status: 500, name: 'INTERNAL' },
  { status: 503, name: 'UNAVAILABLE' },
]

describe.for(genaiVersions)('$name, errors', ({ ApiError, connect }) => {
  test('a client with a wrong key is not known', async () => {
    await using walk = await startWalk()
    const asked = connect(walk, { apiKey: 'wrong' }).models.generateContent(question)
    const error = await told(ApiError, asked)
    expect(error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' })
    expect(error.message).toBe('The API key is not valid.')
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that asks for an unknown model is told so', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    for (const ask of [
      () => models.generateContent({ ...question, model: 'acme/unknown' }),
      () => models.generateContentStream({ ...question, model: 'acme/unknown' }),
      () => models.countTokens({ ...question, model: 'acme/unknown' }),
    ]) {
      const error = await told(ApiError, ask())
      expect(error).toMatchObject({ code: 404, status: 'NOT_FOUND' })
      expect(error.message).toContain('acme/unknown')
    }
  })

  test('a client that breaks a bound of the contract is told which', async () => {
    await using walk = await startWalk()
    const config = { httpOptions: { extraBody: { generation_config: 'warm' } } }
    const asked = connect(walk).models.generateContent({ ...question, config })
    const error = await told(ApiError, asked)
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
    expect(error.details).toMatchObject([{ metadata: { field: 'generation_config' } }])
    expect(walk.sandbox.requests).toHaveLength(0)
  })

  test('a client that the account refuses reads the words of the account', async () => {
    await using walk = await startWalk()
    const parts = [{ functionResponse: { name: 'weather', response: {} } }]
    const contents = [{ role: 'user', parts }]
    const error = await told(
      ApiError,
      connect(walk).models.generateContent({ ...question, contents }),
    )
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
    expect(error.message).toContain('number of function response parts')
  })

  test.for(refusals)('$status of every account is $name', async ({ status, name }) => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    const asked = { ...question, model: `sandbox/status=${status}+message=not` }
    for (const ask of [
      () => models.generateContent(asked),
      () => models.generateContentStream(asked),
    ]) {
      const error = await told(ApiError, ask())
      expect(error).toMatchObject({ code: status, status: name, message: 'not' })
    }
  })
})

interface Told {
  readonly code: number
  readonly message: string
  readonly details?: unknown
}

/** What stands in the error of the SDK, whose message is the whole body. */
async function told(ApiError: GenAIVersion['ApiError'], asked: Promise<unknown>): Promise<Told> {
  const error = await caught(ApiError, asked)
  const body = JSON.parse(error.message) as { error: Told }
  expect(error.status).toBe(body.error.code)
  return body.error
}
