import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { heavyPng } from '../../sandbox/pictures.ts'
import { edit, newer } from './limits.ts'
import { editsPath, imageStage, type ImageStage } from './stage.ts'

const MB = 1024 * 1024

function isClear({ gateway: { gateway } }: ImageStage) {
  return until(() => gateway.spooled() === 0 && gateway.inflight() === 0)
}

test.each(['image', 'image.0'])('nothing stays of an edit of `%s`', async (name) => {
  await using stage = await imageStage()
  const image = await heavyPng(3 * MB)
  const parts = edit(newer).filter(([field]) => field !== 'image')
  expect((await stage.form([[name, image], ...parts])).status).toBe(200)
  await isClear(stage)
})

test.each(['image', 'image.0'])('or of one of `%s` that is refused', async (name) => {
  await using stage = await imageStage()
  const image = await heavyPng(3 * MB)
  expect((await stage.form([[name, image], newer])).status).toBe(400)
  const unknown = edit(newer, ['unknown', 'field']).filter(([field]) => field !== 'image')
  expect((await stage.form([[name, image], ...unknown])).status).toBe(400)
  await isClear(stage)
})

test.each(['image', 'image.0'])('or of one of `%s` whose client leaves', async (name) => {
  await using account = await startFakeAccount(() => {})
  await using stage = await imageStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const body = new FormData()
  body.append(name, await heavyPng(3 * MB))
  for (const [field, value] of [newer, ['prompt', 'x']] as const) body.append(field, value)
  const leaving = new AbortController()
  const sent = fetch(stage.gateway.url + editsPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.gateway.key}` },
    body,
    signal: leaving.signal,
  })
  await until(() => account.requests.length === 1)
  expect(stage.gateway.gateway.spooled()).toBeGreaterThan(3 * MB)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await isClear(stage)
})
