import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { genaiVersions } from '../sdk/genai.ts'
import { openaiVersions } from '../sdk/openai.ts'
import { sandboxVector } from './stage.ts'

const texts = ['a cat', 'a dog']

/** A gateway with accounts at Azure and at Vertex AI. */
async function startClouds() {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const { url: baseUrl } = sandbox
  const file = join(await mkdtemp(join(tmpdir(), 'clouds-')), 'service-account.json')
  await writeFile(file, await (await fetch(`${baseUrl}/google/service-account/a.json`)).text())
  const azure = { provider: 'azure', baseUrl, apiKey: 'sandbox-key-a' }
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        { id: 'azure', ...azure, models: { azure: 'my-deployment' } },
        { id: 'dated', ...azure, apiVersion: '2024-10-21', models: { dated: 'my-deployment' } },
        {
          id: 'vertex',
          provider: 'vertex',
          baseUrl,
          project: 'p',
          location: 'europe-west4',
          googleAuth: { file },
          models: ['text-embedding-005', 'gemini-embedding-001', 'gemini-embedding-2'],
        },
      ],
    }),
  )
  const started = starting.move()
  return { sandbox, gateway, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const place = '/v1beta1/projects/p/locations/europe-west4/publishers/google/models'

test.each([
  ['azure', ['/openai/v1/embeddings']],
  ['dated', ['/openai/deployments/my-deployment/embeddings?api-version=2024-10-21']],
  ['text-embedding-005', [`${place}/text-embedding-005:predict`]],
  ['gemini-embedding-001', Array(2).fill(`${place}/gemini-embedding-001:predict`)],
  ['gemini-embedding-2', Array(2).fill(`${place}/gemini-embedding-2:embedContent`)],
])('clients of OpenAI and of Google reach %s', async (model, paths) => {
  await using scene = await startClouds()
  const openai = openaiVersions.at(-1)!.connect(scene)
  const { data, usage } = await openai.embeddings.create({ model, input: texts, dimensions: 4 })
  const vectors = texts.map((one) => sandboxVector(one, 4))
  expect(data.map(({ embedding }) => embedding)).toEqual(vectors)
  expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
  const asked = scene.sandbox.requests.map(({ url }) => url)
  expect(asked.filter((url) => /embed|predict/.test(url))).toEqual(paths)

  const developer = genaiVersions.find(({ name }) => name.includes('3, developer'))!
  const { embeddings } = await developer.connect(scene).models.embedContent({
    model,
    contents: texts,
    config: { outputDimensionality: 4, taskType: 'CLUSTERING' },
  })
  const got = embeddings?.map(({ values }) => values)
  // It asks this model for one vector of both.
  expect(got).toEqual(model === 'gemini-embedding-2' ? got : vectors)
})
