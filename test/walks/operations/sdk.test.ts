import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryDirectory } from '../../stores/temporary.ts'
import { dataUrl, pngFile } from '../../sandbox/pictures.ts'
import { developersOf, enterpriseOf, operationStage } from './stage.ts'

const speaks = [['video-operations'], ['videos']]

describe.each(speaks)('on an account that speaks %s', (family) => {
  test.each(['1', '2'] as const)(
    '@google/genai %s makes a video, asks until it is done, and downloads it',
    async (version) => {
      await using stage = await operationStage({ accounts: [{ id: 'a', speaks: [family] }] })
      await using directory = await temporaryDirectory()
      const client = developersOf(stage)[version]
      let operation = await client.models.generateVideos({
        model: 'sandbox/polls=2',
        ...(version === '1' ? { prompt: 'a cat' } : { source: { prompt: 'a cat' } }),
        config: { aspectRatio: '16:9', durationSeconds: 4, numberOfVideos: 1 },
      })
      expect(operation.name).toMatch(/^projects\/dragoman\/locations\/global\/operations\/\w+$/)
      const names = new Set([operation.name])
      while (!operation.done) {
        operation = await client.operations.getVideosOperation({ operation })
        names.add(operation.name)
      }
      expect([...names][1]).toMatch(
        /^projects\/dragoman\/locations\/global\/publishers\/sandbox\/models\/sandbox\/polls=2\/operations\/\w+$/,
      )
      const [generated] = operation.response?.generatedVideos ?? []
      if (!generated) throw new Error('There is no video.')
      expect(generated.video?.uri).toMatch(
        /^https:\/\/127\.0\.0\.1:\d+\/v1beta\/files\/[0-9a-z]+:download\?alt=media$/,
      )
      const downloadPath = join(directory.path, 'cat.mp4')
      await client.files.download({ file: generated, downloadPath })
      expect((await readFile(downloadPath)).toString('latin1', 4, 8)).toBe('ftyp')
    },
  )

  test('@google/genai 3 in enterprise mode asks in its own way, and gets the bytes', async () => {
    await using stage = await operationStage({
      accounts: [{ id: 'a', speaks: [family], models: { 'veo-3': 'sandbox/polls=1' } }],
    })
    const client = enterpriseOf(stage)
    let operation = await client.models.generateVideos({
      model: 'veo-3',
      source: { prompt: 'a cat' },
      config: { aspectRatio: '9:16', durationSeconds: 4 },
    })
    while (!operation.done) {
      operation = await client.operations.getVideosOperation({ operation })
    }
    expect(operation.name).toMatch(/\/publishers\/google\/models\/veo-3\/operations\/\w+$/)
    const [generated] = operation.response?.generatedVideos ?? []
    const bytes = Buffer.from(generated?.video?.videoBytes ?? '', 'base64')
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
    expect(generated?.video?.mimeType).toBe('video/mp4')
  })

  test('a picture goes along', async () => {
    await using stage = await operationStage({ accounts: [{ id: 'a', speaks: [family] }] })
    const [, imageBytes = ''] = (await dataUrl(pngFile([1280, 720]))).split(',')
    const operation = await developersOf(stage)['2'].models.generateVideos({
      model: 'sandbox/polls=0',
      source: { prompt: 'a cat', image: { imageBytes, mimeType: 'image/png' } },
      config: { aspectRatio: '16:9', durationSeconds: 4 },
    })
    expect(operation.name).toContain('/operations/')
  })
})
