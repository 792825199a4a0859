import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { askGoogle, developersOf, enterpriseOf } from './video-clients.ts'

const source = { prompt: 'a cat' }

describe.each(['genai1', 'genai2'] as const)('the official client %s', (version) => {
  test('orders videos, waits for them and downloads one', async () => {
    await using sandbox = await startSandbox()
    const genai = developersOf(sandbox)[version]
    const config = { numberOfVideos: 2, durationSeconds: 4, aspectRatio: '9:16' }
    let operation = await genai.models.generateVideos({ model: 'pub/veo', source, config })
    expect(operation.name).toMatch(/^models\/pub\/veo\/operations\/[a-z0-9]+$/)
    expect(operation.done).toBeUndefined()
    for (let poll = 0; poll < 2; poll++)
      operation = await genai.operations.getVideosOperation({ operation })
    expect(operation.done).toBe(true)
    const videos = operation.response?.generatedVideos ?? []
    expect(videos).toHaveLength(2)

    const directory = await mkdtemp(join(tmpdir(), 'sandbox-video-'))
    try {
      const downloadPath = join(directory, 'cat.mp4')
      await genai.files.download({ file: videos[0]!.video!, downloadPath })
      await expect
        .poll(async () => (await readFile(downloadPath).catch(() => '')).length)
        .toBeGreaterThan(1000)
      expect((await readFile(downloadPath)).toString('latin1', 4, 8)).toBe('ftyp')
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

test('the official client of an enterprise gets the bytes themselves', async () => {
  await using sandbox = await startSandbox()
  const genai = enterpriseOf(sandbox)
  let operation = await genai.models.generateVideos({ model: 'pub/veo', source })
  expect(operation.name).toMatch(
    /^projects\/sandbox\/locations\/global\/publishers\/pub\/models\/veo\/operations\//,
  )
  for (let poll = 0; poll < 2; poll++)
    operation = await genai.operations.getVideosOperation({ operation })
  const [video] = operation.response?.generatedVideos ?? []
  expect(video?.video?.mimeType).toBe('video/mp4')
  const bytes = Buffer.from(video?.video?.videoBytes ?? '', 'base64')
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
  expect(sandbox.requests.at(-1)?.url).toContain('/models/veo:fetchPredictOperation')
})

test('or the place in its bucket where they are', async () => {
  await using sandbox = await startSandbox()
  const genai = enterpriseOf(sandbox)
  const config = { outputGcsUri: 'gs://films/', numberOfVideos: 2 }
  let operation = await genai.models.generateVideos({ model: 'm/polls=0', source, config })
  operation = await genai.operations.getVideosOperation({ operation })
  expect(operation.response?.generatedVideos).toMatchObject([
    { video: { uri: expect.stringMatching(/^gs:\/\/films\/\w+\/sample_0\.mp4$/) } },
    { video: { uri: expect.stringMatching(/sample_1\.mp4$/) } },
  ])
})

describe('every name of an operation finds it', () => {
  const body = { instances: [source] }
  const owner = 'projects/p1/locations/l1'

  test('the short one and the long one, in the path and in the body', async () => {
    await using sandbox = await startSandbox()
    const resource = `${owner}/publishers/pub/models/pub/m`
    const { name = '' } = await askGoogle(sandbox, `/v1beta1/${resource}:predictLongRunning`, {
      body,
    })
    const id = name.split('/').at(-1)
    expect(name).toBe(`${resource}/operations/${id}`)
    const short = `${owner}/operations/${id}`
    const encoded = `${owner}/publishers/pub/models/pub%2Fm/operations/${id}`
    for (const path of [name, short, encoded, `models/pub/m/operations/${id}`, `operations/${id}`])
      for (const version of ['v1', 'v1beta', 'v1beta1', 'v1alpha'])
        expect(await askGoogle(sandbox, `/${version}/${path}`)).toMatchObject({ name })
    for (const [at, operationName] of [
      [resource, name],
      [owner, short],
      ['models/pub/m', `models/pub/m/operations/${id}`],
      [`operations/${id}`, `operations/${id}`],
    ])
      expect(
        await askGoogle(sandbox, `/v1beta1/${at}:fetchPredictOperation`, {
          body: { operationName },
        }),
      ).toMatchObject({ name, status: 200 })
  })

  test('unless a part of it is wrong, or it is another account’s', async () => {
    await using sandbox = await startSandbox()
    const path = `/v1beta1/${owner}/publishers/pub/models/m:predictLongRunning`
    const id = (await askGoogle(sandbox, path, { body })).name?.split('/').at(-1)
    for (const wrong of [
      `projects/p2/locations/l1/operations/${id}`,
      `projects/p1/locations/l2/operations/${id}`,
      `${owner}/publishers/other/models/m/operations/${id}`,
      `models/n/operations/${id}`,
      `operations/${id}x`,
      `something/operations/${id}`,
    ])
      expect(await askGoogle(sandbox, `/v1beta/${wrong}`)).toMatchObject({
        status: 404,
        error: { code: 404, status: 'NOT_FOUND' },
      })
    const foreign = await askGoogle(sandbox, `/v1beta/operations/${id}`, { key: 'sandbox-key-b' })
    expect(foreign.status).toBe(404)
    const elsewhere = { body: { operationName: `operations/${id}` } }
    const misplaced = await askGoogle(sandbox, '/v1beta1/models/m:fetchPredictOperation', elsewhere)
    expect(misplaced.status).toBe(400)
  })

  test('where the first one was short, the next is long', async () => {
    await using sandbox = await startSandbox()
    const path = '/v1beta/models/pub/shortname=:predictLongRunning'
    expect((await askGoogle(sandbox, path, { body })).status).toBe(400)
    const { name = '' } = await askGoogle(sandbox, '/v1beta/models/pub/m:predictLongRunning', {
      body,
      steer: 'shortname',
    })
    expect(name).toMatch(/^projects\/sandbox\/locations\/global\/operations\/\w+$/)
    const polled = await askGoogle(sandbox, `/v1beta/${name}`)
    expect(polled.name).toMatch(
      /^projects\/sandbox\/locations\/global\/publishers\/google\/models\/pub\/m\/operations\/\w+$/,
    )
    expect((await askGoogle(sandbox, `/v1beta/${polled.name}`)).done).toBe(true)
  })
})
