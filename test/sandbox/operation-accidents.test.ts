import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { askGoogle, finishOperation } from './video-clients.ts'

function samplesOf(answer: Awaited<ReturnType<typeof finishOperation>>) {
  return answer.response?.generateVideoResponse?.generatedSamples ?? []
}

/** The path of the first video of an operation that has ended. */
async function videoOf(sandbox: Sandbox, model: string): Promise<string> {
  const uri = samplesOf(await finishOperation(sandbox, model))[0]?.video.uri ?? ''
  return uri.replace(sandbox.url, '')
}

describe('an operation', () => {
  test('ends with an error, in the code of Google’s own', async () => {
    await using sandbox = await startSandbox()
    expect(await finishOperation(sandbox, 'sandbox/fails+message=no%20film')).toMatchObject({
      done: true,
      error: { code: 13, message: 'no film' },
    })
    const failed = await finishOperation(sandbox, 'sandbox/fails=3')
    expect(failed.error?.code).toBe(3)
    expect(failed.response).toBeUndefined()
  })

  test('withholds some of its videos, or all', async () => {
    await using sandbox = await startSandbox()
    const some = await finishOperation(sandbox, 'sandbox/filtered=1', { sampleCount: 2 })
    expect(samplesOf(some)).toHaveLength(1)
    expect(some.response?.generateVideoResponse).toMatchObject({
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: [expect.any(String)],
    })
    const all = await finishOperation(sandbox, 'sandbox/filtered=9', { sampleCount: 2 })
    expect(all).toMatchObject({ done: true })
    expect(all.response?.generateVideoResponse).not.toHaveProperty('generatedSamples')
    expect(all.response?.generateVideoResponse?.raiMediaFilteredCount).toBe(2)
  })

  test('brings the bytes along if ordered so', async () => {
    await using sandbox = await startSandbox()
    const [sample] = samplesOf(await finishOperation(sandbox, 'sandbox/inline'))
    expect(sample?.video.encoding).toBe('video/mp4')
    expect(sample?.video.uri).toBeUndefined()
    const bytes = Buffer.from(sample?.video.encodedVideo ?? '', 'base64')
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
  })

  test('cannot be asked after for a while', async () => {
    await using sandbox = await startSandbox()
    const { name } = await askGoogle(sandbox, '/v1beta/models/m:predictLongRunning', {
      body: { instances: [{ prompt: 'x' }] },
      steer: 'pollfail=1; polls=0',
    })
    expect(await askGoogle(sandbox, `/v1beta/${name}`)).toMatchObject({
      status: 500,
      error: { status: 'INTERNAL' },
    })
    expect((await askGoogle(sandbox, `/v1beta/${name}`)).done).toBe(true)
  })

  test('is not begun when the order is refused', async () => {
    await using sandbox = await startSandbox()
    const body = { instances: [{ prompt: 'x' }] }
    const path = '/v1beta/models/sandbox/status=429:predictLongRunning'
    expect(await askGoogle(sandbox, path, { body })).toMatchObject({
      status: 429,
      error: { status: 'RESOURCE_EXHAUSTED' },
    })
  })
})

describe('a video', () => {
  test('is described, and comes in ranges', async () => {
    await using sandbox = await startSandbox()
    const path = await videoOf(sandbox, 'veo')
    const { raw } = await askGoogle(sandbox, path)
    expect(raw.headers.get('content-type')).toBe('video/mp4')
    const size = (await raw.arrayBuffer()).byteLength
    const described = await askGoogle(sandbox, path.slice(0, path.lastIndexOf(':')))
    expect(described).toMatchObject({
      mimeType: 'video/mp4',
      sizeBytes: String(size),
      state: 'ACTIVE',
      downloadUri: sandbox.url + path,
    })
    const part = await fetch(sandbox.url + path, {
      headers: { 'x-goog-api-key': 'sandbox-key-a', range: 'bytes=0-3' },
    })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-3/${size}`])
  })

  test('is nobody else’s, and not there for those who do not say alt=media', async () => {
    await using sandbox = await startSandbox()
    const path = await videoOf(sandbox, 'veo')
    expect(await askGoogle(sandbox, path, { key: 'sandbox-key-b' })).toMatchObject({
      status: 403,
      error: { status: 'PERMISSION_DENIED' },
    })
    expect((await askGoogle(sandbox, path.replace('?alt=media', ''))).status).toBe(400)
    const withKey = await fetch(`${sandbox.url}${path}&key=sandbox-key-a`)
    expect(withKey.status).toBe(200)
  })

  test('expires, moves and keeps one waiting as ordered', async () => {
    await using sandbox = await startSandbox()
    const expired = await videoOf(sandbox, 'sandbox/expires=0')
    expect((await askGoogle(sandbox, expired)).status).toBe(403)

    const waiting = await videoOf(sandbox, 'sandbox/notready=1')
    expect(await askGoogle(sandbox, waiting)).toMatchObject({
      status: 400,
      error: { status: 'FAILED_PRECONDITION' },
    })
    expect((await askGoogle(sandbox, waiting)).status).toBe(200)

    const moved = await askGoogle(sandbox, await videoOf(sandbox, 'sandbox/moved'))
    expect(moved.status).toBe(302)
    const location = moved.raw.headers.get('location') ?? ''
    expect((await askGoogle(sandbox, location)).status).toBe(200)
  })
})
