import { readdir } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { put, type Descriptor } from '../../uploads/service.ts'
import { clock, lendingStage } from './lent.ts'

async function filesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

test('a gateway that starts deletes the images that expired while it was away', async () => {
  const time = clock()
  await using place = await temporaryDirectory()
  const options = { now: time.now, uploads: { directory: place.path } }
  {
    await using stage = await lendingStage(options)
    await stage.lend()
    const asked = { body: { path: 'mine.txt' } }
    const { upload_url } = await stage.openai.post<Descriptor>('/files/upload_url', asked)
    expect((await put(upload_url, 'to stay')).status).toBe(201)
    await stage.lend()
  }
  expect(await filesIn(place.path)).toBe(3)
  time.forward(70)
  await using stage = await lendingStage(options)
  await until(async () => (await filesIn(place.path)) === 1)
  expect(stage.gateway.log).toEqual([])
})
