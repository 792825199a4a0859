import { expect, test } from 'vitest'

import { pngFile } from '../sandbox/pictures.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { askOperation } from './operations/stage.ts'
import { post, type VideoStage, videoStage } from './videos/stage.ts'
import { upload } from './videos/uploads.ts'

/** A gateway with an upload in it, and the path of one that is not there. */
async function stageWith(families: string[]) {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(await temporaryDirectory())
  const stage = starting.use(
    await videoStage({
      uploads: { directory: directory.path },
      accounts: [{ id: 'a', speaks: families }],
    }),
  )
  const there = await upload(stage)
  const missing = there.replace(/[^/]+$/, 'nope.png')
  const started = starting.move()
  return { ...stage, there, missing, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

function formOf(entries: readonly (readonly [string, string | Blob])[]): RequestInit {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  return { method: 'POST', body: form }
}

/** Expects a refusal in OpenAI's words that names where the path stands, and the path. */
async function expectNamed(asked: Promise<Response>, param: string, path: string) {
  const response = await asked
  const { error } = (await response.json()) as { error: { message: string; param: string } }
  const message = `\`${param}\`: this API key has no file \`${path}\`.`
  expect([response.status, error]).toMatchObject([404, { message, param }])
}

test('who edits images is told which of them is missing', async () => {
  await using stage = await stageWith(['images'])
  const { ask, there, missing } = stage
  const path = '/v1/images/edits'
  const values = { model: 'gpt-image-1', prompt: 'a hat' }
  const edit = (body: object) => ask(path, post({ ...values, ...body }))
  const images = [{ image_url: there }, { image_url: missing }]
  await expectNamed(edit({ images }), 'images[1]', missing)
  await expectNamed(edit({ image: there, mask: missing }), 'mask', missing)
  const texts = Object.entries(values)
  const form = formOf([...texts, ['image[]', pngFile(8)], ['image[]', missing]])
  await expectNamed(ask(path, form), 'image[1]', missing)
  expect(stage.sandbox.requests).toEqual([])
})

test.each(['videos', 'video-operations'])(
  'so is who makes a video, on an account that speaks %s',
  async (family) => {
    await using stage = await stageWith([family])
    const { ask, missing } = stage
    const values = { model: 'sandbox/polls=0', prompt: 'a cat' }
    const inObject = post({ ...values, input_reference: { image_url: missing } })
    await expectNamed(ask('/v1/videos', inObject), 'input_reference.image_url', missing)
    const inForm = formOf([...Object.entries(values), ['input_reference', missing]])
    await expectNamed(ask('/v1/videos', inForm), 'input_reference', missing)
    expect(stage.sandbox.requests).toEqual([])
  },
)

async function fieldAtFault(stage: VideoStage, instance: object): Promise<unknown> {
  const body = { instances: [{ prompt: 'a cat', ...instance }] }
  const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
  const { status, error } = await askOperation(stage, path, { body })
  return { status, message: error?.message, details: error?.details }
}

test.each([
  ['instances[0].image', (gcsUri: string) => ({ image: { gcsUri } })],
  ['instances[0].video', (uri: string) => ({ video: { uri } })],
  [
    'instances[0].referenceImages[0].image',
    (gcsUri: string) => ({ referenceImages: [{ image: { gcsUri } }] }),
  ],
])('so is a client of Google’s, of %s', async (field, instance) => {
  await using stage = await stageWith(['video-operations'])
  expect(await fieldAtFault(stage, instance(stage.missing))).toMatchObject({
    status: 404,
    message: `\`${field}\`: this API key has no file \`${stage.missing}\`.`,
    details: [{ metadata: { field } }],
  })
  expect(stage.sandbox.requests).toEqual([])
})

test('so is who shows a model a picture', async () => {
  await using stage = await stageWith(['chat'])
  const { ask, missing } = stage
  const content = [{ type: 'image_url', image_url: { url: missing } }]
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content }] }
  const asked = ask('/v1/chat/completions', post(body))
  await expectNamed(asked, 'messages[0].content[0].image_url.url', missing)
})
