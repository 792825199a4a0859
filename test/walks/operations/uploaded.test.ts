import { expect, test } from 'vitest'

import { jpegFile } from '../../sandbox/pictures.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { type FakeStage, fakeStage, ordered, takesOperations } from '../videos/fake.ts'
import { post } from '../videos/stage.ts'
import { upload } from '../videos/uploads.ts'

const create = '/v1beta/models/m:predictLongRunning'

async function operationsWithUploads(directory: string): Promise<FakeStage> {
  const answer = takesOperations(() => ({}))
  return fakeStage({ provider: 'gemini', answer, uploads: { directory } })
}

test('uploads are pictures, masks, references and videos, in every instance', async () => {
  await using directory = await temporaryDirectory()
  await using stage = await operationsWithUploads(directory.path)
  const picture = jpegFile()
  const gcsUri = await upload(stage, picture)
  const film = new Blob(['a film'])
  const filmUri = await upload(stage, film)
  const given = { gcsUri, mimeType: 'image/png' }
  const instances = [
    { prompt: 'a', image: given, lastFrame: { uri: gcsUri } },
    { prompt: 'b', mask: { ...given, maskMode: 'INSERT' }, video: { uri: filmUri } },
    {
      prompt: 'c',
      referenceImages: [
        { image: given, referenceType: 'ASSET' },
        { image: { gcsUri: 'gs://own/cat.png', mimeType: 'image/png' }, referenceType: 'STYLE' },
      ],
    },
  ]
  const parameters = { aspectRatio: '16:9' }
  expect((await stage.ask(create, post({ instances, parameters }))).status).toBe(200)
  const bytesBase64Encoded = await base64Of(picture)
  // As the bytes show, whatever the client has called them.
  const sent = { bytesBase64Encoded, mimeType: 'image/jpeg' }
  expect(ordered(stage)).toEqual({
    instances: [
      { prompt: 'a', image: sent, lastFrame: sent },
      {
        prompt: 'b',
        mask: { ...sent, maskMode: 'INSERT' },
        video: { encodedVideo: await base64Of(film), encoding: 'video/mp4' },
      },
      {
        prompt: 'c',
        referenceImages: [
          { image: sent, referenceType: 'ASSET' },
          instances[2]?.referenceImages?.[1],
        ],
      },
    ],
    parameters,
  })
})

test('an upload that is not there is not found, wherever it is named', async () => {
  await using directory = await temporaryDirectory()
  await using stage = await operationsWithUploads(directory.path)
  const gcsUri = 'local://nothing/cat.png'
  for (const instances of [
    [{ prompt: 'a', mask: { gcsUri } }],
    [{ prompt: 'a', referenceImages: [{ image: { gcsUri } }] }],
    [{ prompt: 'a' }, { prompt: 'b', image: { uri: gcsUri } }],
  ]) {
    expect((await stage.ask(create, post({ instances }))).status).toBe(404)
  }
  expect(stage.account.requests).toEqual([])
})

test('uploads that do not fit into a request together are too large', async () => {
  await using directory = await temporaryDirectory()
  await using stage = await operationsWithUploads(directory.path)
  const gcsUri = await upload(stage, new Blob([Buffer.alloc(20 * 1024 * 1024)]))
  const instances = Array.from({ length: 3 }, () => ({ prompt: 'a', image: { gcsUri } }))
  const refused = await stage.ask(create, post({ instances }))
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('instances[2].image'),
  ])
  expect(stage.account.requests).toEqual([])
})

async function base64Of(file: Blob): Promise<string> {
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}
