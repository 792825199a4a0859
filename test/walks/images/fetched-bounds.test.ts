import { beforeAll, expect, test } from 'vitest'

import { heavyPng } from '../../sandbox/pictures.ts'
import { startPictureHost, trustPictureHosts } from '../losses/picture-host.ts'
import { lendingStage, picture } from './lent.ts'

beforeAll(trustPictureHosts)

const asked = { model: 'painter', prompt: 'a cat', response_format: 'b64_json' } as const

/** What a client that asks for `n` images gets of an account that has so many at a host. */
async function generated(bytes: Buffer, count: number, n = count) {
  await using host = await startPictureHost(bytes, 'image/png')
  const data = Array.from({ length: count }, (_, index) => ({ url: `${host.url}/${index}` }))
  await using stage = await lendingStage({ remote: { allow: [host.address] } }, data)
  const made = await stage.openai.images.generate({ ...asked, n })
  return {
    given: (made.data ?? []).map(({ b64_json }) => b64_json),
    log: JSON.stringify(stage.gateway.log),
    connections: host.connections(),
  }
}

test('no account has a gateway fetch more images than the client asked for', async () => {
  const base64 = picture.toString('base64')
  const ten = await generated(picture, 10)
  expect(ten.given).toEqual(Array.from({ length: 10 }, () => base64))
  const two = await generated(picture, 1_000, 2)
  expect(two.given).toEqual([base64, base64])
  expect(two.connections).toBeLessThanOrEqual(2)
})

test('nor more of them than fits into a reply', async () => {
  const heavy = Buffer.from(await (await heavyPng(18 * 1024 * 1024)).arrayBuffer())
  const { log, given } = await generated(heavy, 3)
  expect(given).toContain(undefined)
  expect(log).toContain('52428800 bytes in total')
})
