import { expect, test } from 'vitest'

import { temporaryDirectory } from '../../stores/temporary.ts'
import { askOperation } from '../operations/stage.ts'
import { post, videoStage } from './stage.ts'
import { upload } from './uploads.ts'

test.each(['videos', 'video-operations'])(
  'an uploaded picture is a reference by its path, on an account that speaks %s',
  async (family) => {
    await using directory = await temporaryDirectory()
    await using stage = await videoStage({
      uploads: { directory: directory.path },
      accounts: [{ id: 'a', speaks: [family] }],
    })
    const path = await upload(stage)
    const model = 'sandbox/polls=0'
    const prompt = 'a cat'
    const inJson = post({ model, prompt, input_reference: { image_url: path } })
    const form = new FormData()
    for (const [name, value] of Object.entries({ model, prompt })) form.append(name, value)
    form.append('input_reference[image_url]', path)
    for (const request of [inJson, { method: 'POST', body: form }]) {
      const created = await stage.ask('/v1/videos', request)
      expect([created.status, await created.json()]).toMatchObject([200, { prompt }])
    }
    const operation = await askOperation(stage, `/v1beta/models/${model}:predictLongRunning`, {
      body: {
        instances: [{ prompt, image: { gcsUri: path } }],
        parameters: { aspectRatio: '9:16' },
      },
    })
    expect(operation.status).toBe(200)
    expect(stage.sandbox.requests).toHaveLength(3)
    for (const { body } of stage.sandbox.requests) expect(body.toString()).not.toContain(path)
  },
)

test('another key’s upload is unknown', async () => {
  await using directory = await temporaryDirectory()
  await using stage = await videoStage({
    uploads: { directory: directory.path },
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'other', secret: 'other-secret' },
    ],
  })
  const image_url = await upload(stage)
  const created = await stage.ask('/v1/videos', {
    ...post({ model: 'sandbox/polls=0', prompt: 'a', input_reference: { image_url } }),
    headers: { authorization: 'Bearer other-secret', 'content-type': 'application/json' },
  })
  expect(created.status).toBe(404)
  expect(stage.sandbox.requests).toEqual([])
})
