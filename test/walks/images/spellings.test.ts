import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { jpegFile, pngFile, webpFile } from '../../sandbox/pictures.ts'
import { boundary, formOf } from '../../multipart/forms.ts'
import { newer } from './limits.ts'
import { editsPath, type ImageStage, imageStage, type Part, refusalIn } from './stage.ts'

const formType = `multipart/form-data; boundary=${boundary}`

async function bytesOf(file: File): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await file.arrayBuffer())
}

/** The files that the account got: name, type, and what was in them. */
function filesAt({ sandbox }: ImageStage) {
  const { files = [] } = sandbox.requests.at(-1)?.form ?? {}
  return files.map(({ name, type, sha256 }) => [name, type, sha256])
}

async function digestOf(file: File): Promise<string> {
  return createHash('sha256')
    .update(await bytesOf(file))
    .digest('hex')
}

test.each([
  ['image.0', 'image.1', 'image.2'],
  ['image[0]', 'image[1]', 'image[2]'],
  ['image', 'image.0', 'image.1'],
  ['images', 'images', 'images'],
  ['images[]', 'images[]', 'images[]'],
  ['image', 'image', 'image'],
  ['image[2]', 'image.9', 'image[10]'],
])('%s, %s and %s reach the account under the name that it knows', async (...names) => {
  await using stage = await imageStage()
  const files = [pngFile(), jpegFile(), webpFile()]
  const parts = names.map((name, index): Part => [name, files[index]!])
  const response = await stage.form([...parts, ['prompt', 'x'], newer])
  expect(response.status).toBe(200)
  expect(filesAt(stage)).toEqual([
    ['image[]', 'image/png', await digestOf(files[0]!)],
    ['image[]', 'image/jpeg', await digestOf(files[1]!)],
    ['image[]', 'image/webp', await digestOf(files[2]!)],
  ])
})

test('images are ordered by their numbers, and the mask stays with the first', async () => {
  await using stage = await imageStage()
  const [first, second] = [pngFile(32), pngFile(64)]
  const mask = pngFile(32, { seeThrough: true })
  const parts: Part[] = [
    ['image.1', second],
    ['mask', mask],
    ['image.0', first],
    ['prompt', 'x'],
  ]
  expect((await stage.form([...parts, newer])).status).toBe(200)
  expect(filesAt(stage)).toEqual([
    ['image[]', 'image/png', await digestOf(first)],
    ['image[]', 'image/png', await digestOf(second)],
    ['mask', 'image/png', await digestOf(mask)],
  ])
})

test('one image under an odd name is `image` to the account', async () => {
  await using stage = await imageStage()
  expect((await stage.form([['images[0]', pngFile()], ['prompt', 'x'], newer])).status).toBe(200)
  expect(filesAt(stage).map(([name]) => name)).toEqual(['image'])
})

test.each([undefined, 'application/octet-stream', 'image/jpg', 'text/plain'])(
  'an image that is said to be %s is told as what it is',
  async (type) => {
    await using stage = await imageStage()
    const content = await bytesOf(jpegFile())
    const body = formOf([
      { name: 'image', filename: 'b %22q%22 é.bin', ...(type && { type }), content },
      { name: 'prompt', content: 'é' },
      { name: 'model', content: 'gpt-image-1' },
    ])
    expect((await stage.raw(formType, new Uint8Array(body))).status).toBe(200)
    const { form } = stage.sandbox.requests.at(-1) ?? {}
    expect(form?.files).toMatchObject([
      { name: 'image', type: 'image/jpeg', filename: expect.stringContaining('é.bin') },
    ])
    expect(form?.fields).toContainEqual({ name: 'prompt', value: 'é' })
  },
)

test('a form as accounts want it reaches them byte for byte, but for the model', async () => {
  const answer = answerJson({ created: 1, data: [{ b64_json: 'AAAA' }] })
  await using account = await startFakeAccount(answer)
  await using stage = await imageStage({
    accounts: [
      {
        provider: 'openai',
        baseUrl: `${account.url}/v1`,
        models: { mine: 'theirs', same: 'same' },
      },
    ],
  })
  const content = await bytesOf(pngFile())
  const form = (...models: string[]) =>
    new Uint8Array(
      formOf([
        {
          head: 'content-disposition:form-data;name=image;filename=a.png\r\nx-own: y\r\nContent-Type: image/png; a=b',
          content,
        },
        { name: 'prompt', content: 'x' },
        ...models.map((model) => ({ name: 'model', content: model })),
        { name: 'unknown[field]', content: 'stays' },
      ]),
    )
  expect((await stage.raw(formType, form('mine'))).status).toBe(200)
  expect((await stage.raw(formType, form('same'))).status).toBe(200)
  const [renamed, same] = account.requests.map(({ body }) => body)
  expect(renamed?.equals(form('theirs'))).toBe(true)
  expect(same?.equals(form('same'))).toBe(true)
})

test('a request that names no model means the legacy one, unless it asks for more', async () => {
  await using stage = await imageStage()
  const clear = pngFile(64, { seeThrough: true })
  const parts: Part[] = [
    ['image', clear],
    ['prompt', 'x'],
  ]
  expect((await stage.form(parts)).status).toBe(200)
  expect((await stage.form([...parts, ['quality', 'low']])).status).toBe(200)
  const oddly: Part[] = [
    ['image.0', clear],
    ['prompt', 'x'],
    ['stream', 'false'],
    ['background', 'auto'],
  ]
  expect((await stage.form(oddly)).status).toBe(200)
  const images = [{ image_url: 'https://pictures.example/cat.png' }]
  expect((await stage.json({ prompt: 'x', images, output_format: 'webp' })).status).toBe(200)
  expect((await stage.json({ model: null, prompt: 'x' }, '/v1/images/generations')).status).toBe(
    200,
  )
  const asked = stage.sandbox.requests.map(({ form, body }) => {
    const field = form?.fields.find(({ name }) => name === 'model')
    return field ? field.value : (JSON.parse(body.toString()) as { model: string }).model
  })
  expect(asked).toEqual(['dall-e-2', 'gpt-image-1', 'gpt-image-1', 'gpt-image-1', 'dall-e-2'])
})

test('where no account has the model that is meant, one has to be named', async () => {
  await using stage = await imageStage({ accounts: [{ models: ['gpt-image-1'] }] })
  const clear = pngFile(64, { seeThrough: true })
  const parts: Part[] = [
    ['image', clear],
    ['prompt', 'x'],
  ]
  expect(await refusalIn(await stage.form(parts))).toMatchObject({ status: 400, param: 'model' })
  const named: Part[] = [...parts, ['model', 'no-such-model']]
  expect(await refusalIn(await stage.form(named))).toMatchObject({ status: 404 })
})

test('which models are legacy ones is a matter of configuration, whatever their aliases', async () => {
  await using stage = await imageStage({
    imageModels: { legacy: ['old-*'], current: 'new-1' },
    aliases: { painter: 'old-2' },
    accounts: [{ models: { 'old-2': 'dall-e-2', 'new-1': 'gpt-image-1' } }],
  })
  const parts: Part[] = [
    ['image', pngFile()],
    ['prompt', 'x'],
    ['background', 'opaque'],
  ]
  const refused = await refusalIn(await stage.form([...parts, ['model', 'painter']]))
  expect(refused).toMatchObject({ status: 400, param: 'background' })
  expect(stage.sandbox.requests).toEqual([])
  expect((await stage.form(parts)).status).toBe(200)
})

test('a form that names a picture by a URL leaves it to the account', async () => {
  await using account = await startFakeAccount(answerJson({ data: [{ b64_json: 'AAAA' }] }))
  await using stage = await imageStage({
    accounts: [{ provider: 'openai-compatible', speaks: ['images'], baseUrl: `${account.url}/v1` }],
  })
  const url = 'https://pictures.example/cat.png'
  expect((await stage.form([['image', url], ['prompt', 'x'], newer])).status).toBe(200)
  const [request] = account.requests
  expect(request?.url).toBe(editsPath)
  expect(request?.body.toString()).toContain(url)
})
