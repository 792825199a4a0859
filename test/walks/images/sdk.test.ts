import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { jpegFile, pngFile, webpFile } from '../../sandbox/pictures.ts'
import { openaiVersions } from '../sdk/openai.ts'
import { collect } from '../sdk/walk.ts'
import { imageStage } from './stage.ts'

describe.each(openaiVersions)('$name', ({ connect }) => {
  test('a client has one file edited, with a mask', async () => {
    await using stage = await imageStage()
    const edited = await connect(stage).images.edit({
      model: 'gpt-image-1',
      prompt: 'a hat on the cat',
      image: pngFile(),
      mask: pngFile(64, { seeThrough: true }),
      size: '1024x1024',
      n: 2,
    })
    expect(edited).toMatchObject({
      created: expect.any(Number),
      background: 'opaque',
      output_format: 'png',
      quality: 'medium',
      size: '1024x1024',
      usage: { input_tokens: 5 + 194, output_tokens: 2 * 1056 },
    })
    expect(edited.data?.map(({ b64_json: base64 }) => typeof base64)).toEqual(['string', 'string'])
  })

  test('a client has many files of all kinds edited', async () => {
    await using stage = await imageStage()
    const edited = await connect(stage).images.edit({
      model: 'gpt-image-1',
      prompt: 'put them together',
      image: [pngFile(), jpegFile(), webpFile()],
      input_fidelity: 'high',
    })
    expect(edited.usage?.input_tokens_details.image_tokens).toBe(3 * 194)
  })

  test('a client sends files from its disk, which are named by no type', async () => {
    await using stage = await imageStage()
    const directory = await mkdtemp(join(tmpdir(), 'images-'))
    try {
      const file = join(directory, 'cat.png')
      await writeFile(file, new Uint8Array(await pngFile().arrayBuffer()))
      const edited = await connect(stage).images.edit({
        model: 'gpt-image-1',
        prompt: 'a hat on the cat',
        image: [createReadStream(file), createReadStream(file)],
      })
      expect(edited.data).toHaveLength(1)
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  test('a client generates an image', async () => {
    await using stage = await imageStage()
    const made = await connect(stage).images.generate({ model: 'gpt-image-1', prompt: 'a cat' })
    expect(made.data?.[0]?.b64_json).toEqual(expect.any(String))
    expect(made).toMatchObject({ size: '1024x1024', output_format: 'png' })
  })

  test('a client asks the legacy model for addresses, and gets those of the account', async () => {
    await using stage = await imageStage()
    const client = connect(stage)
    const made = await client.images.generate({ model: 'dall-e-2', prompt: 'a cat' })
    expect(made.data?.[0]?.url).toContain(stage.sandbox.url)
    const image = pngFile(64, { seeThrough: true })
    const edited = await client.images.edit({
      model: 'dall-e-2',
      prompt: 'a hat',
      image,
      response_format: 'b64_json',
    })
    expect(edited).toMatchObject({ output_format: 'png', size: '1024x1024' })
    expect(edited.data?.[0]?.b64_json).toEqual(expect.any(String))
  })
})

// The versions before had no streams of images.
describe.each(openaiVersions.slice(1))('$name', ({ connect }) => {
  test('a client watches an edit', async () => {
    await using stage = await imageStage()
    const events = await collect(
      await connect(stage).images.edit({
        model: 'gpt-image-1',
        prompt: 'a hat on the cat',
        image: pngFile(),
        stream: true,
        partial_images: 2,
      }),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.partial_image',
      'image_edit.completed',
    ])
  })

  test('a client watches a generation', async () => {
    await using stage = await imageStage()
    const events = await collect(
      await connect(stage).images.generate({
        model: 'gpt-image-1',
        prompt: 'a cat',
        stream: true,
        partial_images: 1,
      }),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.completed',
    ])
  })
})
