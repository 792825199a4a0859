import { expect, test } from 'vitest'

import { askOperation, done, operationStage, order } from './stage.ts'

test('both forms of a result stand together, and name the same files', async () => {
  await using stage = await operationStage({ publicUrl: 'http://gateway.example:8080/llm' })
  const operation = await done(stage, await order(stage, 'sandbox/polls=1', { sampleCount: 2 }))
  const { generatedVideos = [], generateVideoResponse } = operation.response ?? {}
  expect(generatedVideos).toHaveLength(2)
  for (const [index, video] of generatedVideos.entries()) {
    expect(video).toEqual({
      uri: expect.stringMatching(
        /^https:\/\/gateway\.example:8080\/llm\/v1beta\/files\/[0-9a-z]{30}:download\?alt=media$/,
      ),
      mimeType: 'video/mp4',
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(generateVideoResponse?.generatedSamples[index]).toEqual({
      video: { uri: video.uri, encoding: 'video/mp4' },
      encoding: 'video/mp4',
    })
  }
  expect(new Set(generatedVideos.map(({ uri }) => uri)).size).toBe(2)
  expect(operation.response).toMatchObject({ '@type': expect.stringContaining('PredictLong') })
})

test('an operation that is under way says that it is not done', async () => {
  await using stage = await operationStage()
  const name = await order(stage, 'sandbox/takes=60000')
  const operation = await askOperation(stage, `/v1beta/${name}`)
  expect(operation).toMatchObject({ status: 200, done: false })
  expect(operation.response).toBeUndefined()
})

test('an account that tells the bytes has them told in every form, and downloaded', async () => {
  await using stage = await operationStage()
  const name = await order(stage, 'sandbox/polls=0+inline')
  const { response } = await done(stage, name)
  const [video] = response?.generatedVideos ?? []
  const [sample] = response?.generateVideoResponse.generatedSamples ?? []
  const bytes = Buffer.from(video?.videoBytes ?? '', 'base64')
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
  expect(sample?.video.encodedVideo).toBe(video?.videoBytes)
  const path = new URL(video?.uri ?? '').pathname
  const whole = await stage.ask(path)
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes)
  const part = await stage.ask(path, { headers: { range: 'bytes=4-7' } })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  expect(part.headers.get('content-range')).toBe(`bytes 4-7/${bytes.length}`)
  const beyond = await stage.ask(path, { headers: { range: 'bytes=9999999-' } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
    416,
    `bytes */${bytes.length}`,
  ])
})

test('a failure is told as the account told it', async () => {
  await using stage = await operationStage()
  const operation = await done(stage, await order(stage, 'sandbox/polls=0+fails=8'))
  expect(operation).toMatchObject({ done: true, error: { code: 8, details: [] } })
  expect(operation.response).toBeUndefined()
})

test('videos that were withheld are counted, with the reasons', async () => {
  await using stage = await operationStage()
  for (const [sampleCount, left] of [
    [1, 0],
    [2, 1],
  ]) {
    const name = await order(stage, 'sandbox/polls=0+filtered=1', { sampleCount })
    const { response } = await done(stage, name)
    expect(response?.generatedVideos).toHaveLength(left ?? 0)
    expect(response?.generateVideoResponse).toMatchObject({
      generatedSamples: { length: left },
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: [expect.any(String)],
    })
  }
})

test('a file is described, and downloaded by anybody who has the key', async () => {
  await using stage = await operationStage()
  const { response } = await done(stage, await order(stage, 'sandbox/polls=0'))
  const { pathname } = new URL(response?.generatedVideos[0]?.uri ?? '')
  const file = pathname.replace(':download', '')
  const told = await stage.ask(file)
  expect(await told.json()).toMatchObject({
    name: file.replace('/v1beta/', ''),
    state: 'ACTIVE',
    mimeType: 'video/mp4',
    downloadUri: response?.generatedVideos[0]?.uri,
  })
  const { url, key } = stage.gateway
  for (const path of [
    `${pathname}?alt=media&key=${key}`,
    `${file}?alt=media&key=${key}`,
    `${pathname.replace('v1beta', 'v1')}?key=${key}`,
  ]) {
    const downloaded = await fetch(url + path)
    expect(downloaded.headers.get('content-type')).toBe('video/mp4')
    expect((await downloaded.arrayBuffer()).byteLength).toBeGreaterThan(100)
  }
  expect((await fetch(`${url}${pathname}?alt=media`)).status).toBe(401)
  const slow = await order(stage, 'sandbox/takes=60000')
  const early = await stage.ask(`/v1beta/files/${slow.split('/').at(-1)}0:download`)
  expect([early.status, await early.json()]).toMatchObject([
    400,
    { error: { status: 'INVALID_ARGUMENT' } },
  ])
})

test('an account that does not answer leaves the operation as it was last known', async () => {
  await using stage = await operationStage()
  const name = await order(stage, 'sandbox/polls=0+pollfail=1')
  const stale = await askOperation(stage, `/v1beta/${name}`)
  expect([stale.status, stale.done, stale.raw.headers.get('x-dragoman-stale')]).toEqual([
    200,
    false,
    'true',
  ])
  const fresh = await askOperation(stage, `/v1beta/${name}`)
  expect([fresh.done, fresh.raw.headers.get('x-dragoman-stale')]).toEqual([true, null])
})

test.each([
  [{}, 'instances'],
  [{ instances: [] }, 'instances'],
  [{ instances: ['a'] }, 'instances[0]'],
  [{ instances: [{ prompt: 7 }] }, 'prompt'],
  [{ instances: [{ prompt: 'a' }], parameters: { durationSeconds: 'x' } }, 'durationSeconds'],
  [{ instances: [{ prompt: 'a' }], parameters: { sampleCount: 0 } }, 'sampleCount'],
])('%j is refused, and no account is asked', async (body, field) => {
  await using stage = await operationStage()
  const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
  const refused = await askOperation(stage, path, { body })
  expect([refused.status, refused.error?.status]).toEqual([400, 'INVALID_ARGUMENT'])
  expect(refused.error?.message).toContain(field)
  expect(stage.sandbox.requests).toEqual([])
})
