import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import type { Outcome } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import type { Storage } from '../../src/contract/storage.ts'
import { dataUrl, pngFile } from '../sandbox/pictures.ts'
import { askOperation } from './operations/stage.ts'
import { post, videoStage } from './videos/stage.ts'

const picture = Buffer.from((await dataUrl(pngFile(512))).split(',')[1] ?? '', 'base64')

/** A storage that has one picture, and hands it out as a whole so many times; then it breaks off. */
function tape(wholeReads: number): Storage {
  let left = wholeReads
  const { length: size } = picture
  const url = 'http://127.0.0.1:9/'
  return {
    name: 'tape',
    places: [{ region: undefined, root: '' }],
    inspects: false,
    isPublic: false,
    upload: async () => ({ url }),
    visit: async () => url,
    open: async () => ({ stream: left-- > 0 ? whole() : broken(), size, type: 'image/png' }),
  }
}

const whole = () => Readable.from([picture])

function broken(): Readable {
  const pieces = [picture.subarray(0, 10)]
  return new Readable({
    read() {
      const piece = pieces.pop()
      if (piece) this.push(piece)
      else this.destroy(new Error('read ECONNRESET 10.0.0.7'))
    },
  })
}

/** A gateway with such a storage, the path of its picture, and how attempts have ended. */
async function stageWith(family: string, wholeReads: number) {
  const outcomes: Outcome[] = []
  const plugin: GatewayPlugin = definePlugin({
    name: 'tapes',
    storages: [tape(wholeReads)],
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  const stage = await videoStage({
    plugins: [plugin],
    accounts: [{ id: 'a', speaks: [family] }],
  })
  const body = { path: 'cat.png', storage_provider: 'tape' }
  const issued = await stage.ask('/v1/files/upload_url', post(body))
  const { path } = (await issued.json()) as { path: string }
  return { ...stage, path, outcomes }
}

/** Expects a failure of the gateway's own, in words that tell nothing of the storage. */
async function expectUnavailable(response: Response) {
  const text = await response.text()
  expect([response.status, text]).toEqual([503, expect.stringMatching(/storage_unavailable/i)])
  expect(text).not.toContain('10.0.0.7')
}

test.each([
  ['while an image is looked at', 0],
  ['while it is read for the account', 1],
])('a storage that breaks off %s is the gateway’s failure', async (_, wholeReads) => {
  await using stage = await stageWith('images', wholeReads)
  const body = { model: 'gpt-image-1', prompt: 'a hat', image: stage.path }
  await expectUnavailable(await stage.ask('/v1/images/edits', post(body)))
  for (const { fault } of stage.outcomes) expect(fault).toBe('gateway')
  expect(stage.sandbox.requests).toEqual([])
})

test.each(['videos', 'video-operations'])(
  'so is one that does where a video is made after it, on an account that speaks %s',
  async (family) => {
    await using stage = await stageWith(family, 0)
    const body = { model: 'sandbox/polls=0', prompt: 'a cat', input_reference: stage.path }
    await expectUnavailable(await stage.ask('/v1/videos', post(body)))
    expect(stage.outcomes).toMatchObject([{ fault: 'gateway' }])
    const instances = [{ prompt: 'a cat', image: { gcsUri: stage.path } }]
    const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
    const { status, error } = await askOperation(stage, path, { body: { instances } })
    expect([status, error?.details]).toMatchObject([503, [{ reason: 'STORAGE_UNAVAILABLE' }]])
    expect(stage.sandbox.requests).toEqual([])
  },
)
