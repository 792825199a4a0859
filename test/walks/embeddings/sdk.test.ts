import { describe, expect, test } from 'vitest'

import { genaiVersions } from '../sdk/genai.ts'
import { openaiVersions } from '../sdk/openai.ts'
import { caught } from '../sdk/walk.ts'
import { embeddingStage, families, sandboxVector } from './stage.ts'

const texts = ['a cat', 'a dog']

describe.each(families)('on an account that speaks %s', (family) => {
  test.each(openaiVersions)('$name gets numbers, in whichever form it asks', async (version) => {
    await using stage = await embeddingStage([family])
    const client = version.connect(stage)
    const usual = await client.embeddings.create({ model: 'sandbox/echo', input: texts })
    const floats = await client.embeddings.create({
      model: 'sandbox/echo',
      input: texts,
      encoding_format: 'float',
      dimensions: 4,
    })

    expect(usual.data.map(({ embedding }) => embedding)).toEqual(
      texts.map((one) => sandboxVector(one)),
    )
    expect(floats.data.map(({ embedding }) => embedding)).toEqual(
      texts.map((one) => sandboxVector(one, 4)),
    )
    expect(floats.data.map(({ index }) => index)).toEqual([0, 1])
    expect(usual.model).toBe('sandbox/echo')
    // Gemini reports none.
    const usage = family === 'embed-content' ? undefined : { prompt_tokens: 4, total_tokens: 4 }
    expect(usual.usage).toEqual(usage)
  })

  test.each(genaiVersions)('$name embeds', async (version) => {
    await using stage = await embeddingStage([family])
    const { embeddings } = await version.connect(stage).models.embedContent({
      model: 'sandbox/echo',
      contents: texts,
      config: { outputDimensionality: 4 },
    })
    expect(embeddings?.map(({ values }) => values)).toEqual(
      texts.map((one) => sandboxVector(one, 4)),
    )
  })
})

test.each(openaiVersions)('$name raises its typed errors', async (version) => {
  await using stage = await embeddingStage(['embeddings'])
  const client = version.connect(stage, { maxRetries: 0 })
  const { BadRequestError, NotFoundError } = version.OpenAI
  const empty = client.embeddings.create({ model: 'sandbox/echo', input: '' })
  expect(await caught(BadRequestError, empty)).toMatchObject({ status: 400, param: 'input' })
  const unknown = client.embeddings.create({ model: 'nobody/has-this', input: 'a' })
  expect(await caught(NotFoundError, unknown)).toMatchObject({ status: 404, param: 'model' })
})
