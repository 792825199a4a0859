import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { dataUrl, pngFile } from './pictures.ts'
import { askGoogle } from './video-clients.ts'

describe('orders are refused', () => {
  const prompt = 'x'
  const noImage = { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }
  test.each<[string, object, string]>([
    ['without instances', {}, 'instances'],
    ['with two', { instances: [{ prompt }, { prompt }] }, 'instances'],
    ['with an empty one', { instances: [{}] }, 'prompt is required'],
    ['with an unknown field', { instances: [{ prompt, mood: 'x' }] }, 'Unknown name "mood"'],
    ['with text for a number', call({ durationSeconds: '8' }), 'durationSeconds'],
    ['with too long a time', call({ durationSeconds: 60 }), 'at most 8'],
    ['with five videos', call({ sampleCount: 5 }), 'at most 4'],
    ['with a square', call({ aspectRatio: '1:1' }), 'aspectRatio'],
    ['with a field of the cloud', call({ storageUri: 'gs://a' }), 'Unknown name "storageUri"'],
    ['with an image that is none', { instances: [{ prompt, image: noImage }] }, 'input image'],
    ['with an end only', { instances: [{ prompt, lastFrame: noImage }] }, 'lastFrame'],
    ['with more beside', { instances: [{ prompt }], labels: {} }, 'Unknown name "labels"'],
  ])('%s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    const answer = await askGoogle(sandbox, '/v1beta/models/m:predictLongRunning', { body })
    expect(answer).toMatchObject({ status: 400, error: { status: 'INVALID_ARGUMENT' } })
    expect(answer.error?.message).toContain(message)
  })

  function call(parameters: object) {
    return { instances: [{ prompt }], parameters }
  }
})

test('an image of any kind may come along', async () => {
  await using sandbox = await startSandbox()
  const [, bytesBase64Encoded] = (await dataUrl(pngFile())).split(',')
  const image = { bytesBase64Encoded, mimeType: 'image/png' }
  const instance = { image, lastFrame: image, referenceImages: [{ image, referenceType: 'asset' }] }
  const ordered = await askGoogle(sandbox, '/v1beta/models/m:predictLongRunning', {
    body: { instances: [instance], parameters: { resolution: '1080p', seed: 1 } },
  })
  expect(ordered.status).toBe(200)
})
