import { describe, expect, test } from 'vitest'

import { pngFile } from '../../sandbox/pictures.ts'
import { openaiVersions } from '../sdk/openai.ts'
import { edit, legacy, newer } from './limits.ts'
import { lendingStage, picture } from './lent.ts'

const base64 = picture.toString('base64')

async function bytesAt(url: string | undefined): Promise<Buffer> {
  const response = await fetch(url ?? '')
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

describe.each(openaiVersions)('$name', ({ connect }) => {
  test('a client of the legacy model gets URLs where its account has base64 alone', async () => {
    await using stage = await lendingStage()
    const client = connect(stage)
    const made = await client.images.generate({ model: 'dall-e-2', prompt: 'a cat' })
    const image = pngFile(64, { seeThrough: true })
    const edited = await client.images.edit({ model: 'dall-e-2', prompt: 'a hat', image })
    for (const { data } of [made, edited]) {
      expect(data).toEqual([{ url: expect.stringContaining(`${stage.gateway.url}/v1/files/`) }])
      expect(await bytesAt(data?.[0]?.url)).toEqual(picture)
    }
  })
})

test('every image of a reply has a URL of its own, and what else an account says stays', async () => {
  const other = Buffer.from(await pngFile(32, { seeThrough: true }).arrayBuffer())
  const data = [
    { b64_json: base64, revised_prompt: 'a red hat', seed: 7 },
    { url: 'https://pictures.example/1.png' },
    { b64_json: other.toString('base64'), url: null },
  ]
  const more = { by: 'them' }
  await using stage = await lendingStage({}, data, more)
  const response = await stage.form(edit(legacy, ['response_format', 'url'], ['n', '3']))
  const reply = (await response.json()) as { data: { url: string }[] }
  const url = expect.stringContaining(stage.gateway.url) as string
  expect(reply).toEqual({
    created: 5,
    ...more,
    output_format: 'png',
    data: [{ url, revised_prompt: 'a red hat', seed: 7 }, data[1], { url }],
  })
  expect(await bytesAt(reply.data[0]?.url)).toEqual(picture)
  expect(await bytesAt(reply.data[2]?.url)).toEqual(other)
})

test('an image that its account gives in both ways stays as it is', async () => {
  const data = [{ b64_json: base64, url: 'https://pictures.example/1.png' }]
  await using stage = await lendingStage({}, data)
  for (const format of ['url', 'b64_json']) {
    const response = await stage.form(edit(legacy, ['response_format', format]))
    expect(await response.json()).toMatchObject({ data })
  }
  expect(stage.gateway.log).toEqual([])
})

test('a client of any model that asks a generation for URLs gets them', async () => {
  await using stage = await lendingStage()
  const asked = { model: 'painter', prompt: 'a cat', response_format: 'url' } as const
  const made = await stage.openai.images.generate(asked)
  expect(await bytesAt(made.data?.[0]?.url)).toEqual(picture)
})

test('a client that is due base64 gets it as its account wrote it', async () => {
  await using stage = await lendingStage()
  const data = [{ b64_json: base64 }]
  for (const fields of [edit(newer), edit(legacy, ['response_format', 'b64_json'])]) {
    expect(await (await stage.form(fields)).json()).toMatchObject({ data })
  }
  const made = await stage.openai.images.generate({ model: 'gpt-image-1', prompt: 'a cat' })
  expect(made).toMatchObject({ data })
})

test.each([
  { why: 'has no storage of its own', options: { uploads: { directory: false } } },
  { why: 'cannot write there', options: { uploads: { directory: '/dev/null' } } },
] as const)('a gateway that $why passes base64 on, and says so', async ({ options }) => {
  await using stage = await lendingStage(options)
  const made = await stage.openai.images.generate({ model: 'dall-e-2', prompt: 'a cat' })
  expect(made).toMatchObject({ data: [{ b64_json: base64 }], output_format: 'png' })
  expect(stage.gateway.log).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      msg: 'image conversion to `url` failed',
      error: expect.any(String),
    }),
  )
})

test('URLs begin with the public address, whatever the client calls its host', async () => {
  await using stage = await lendingStage({ publicUrl: 'https://llm.example.com/gateway' })
  const url = await stage.lend()
  expect(url).toMatch(/^https:\/\/llm\.example\.com\/gateway\/v1\/files\/stored\/results\//)
  const inside = url.replace('https://llm.example.com/gateway', stage.gateway.url)
  expect(await bytesAt(inside)).toEqual(picture)
})
