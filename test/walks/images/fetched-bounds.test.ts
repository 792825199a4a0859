import { beforeAll, expect, test } from 'vitest'

import { heavyPng } from '../../sandbox/pictures.ts'
import { startPictureHost, trustPictureHosts } from '../losses/picture-host.ts'
import { lendingStage, picture } from './lent.ts'

beforeAll(trustPictureHosts)

const asked = { model: 'painter', prompt: 'a cat', response_format: 'b64_json' } as const

/** What a client gets of an account that has so many images at a host. */
async function generated(bytes: Buffer, count: number) {
  await using host = await startPictureHost(bytes, 'image/png')
  const data = Array.from({ length: count }, (_, index) => ({ url: `${host.url}/${index}` }))
  await using stage = await lendingStage({ remote: { allow: [host.address] } }, data)
  const made = await stage.openai.images.generate(asked)
  return {
    given: (made.data ?? []).map(({ b64_json }) => b64_json),
    log: JSON.stringify(stage.gateway.log),
    connections: host.connections(),
  }
}

test('no account has a gateway fetch more images than a call can be for', async () => {
  const ten = await generated(picture, 10)
  expect(new Set(ten.given)).toEqual(new Set([picture.toString('base64')]))
  const eleven = await generated(picture, 11)
  expect(new Set(eleven.given)).toEqual(new Set([undefined]))
  expect(eleven.log).toContain('more than 10 images')
  expect(eleven.connections).toBe(0)
})

test('nor more of them than fits into a reply', async () => {
  const heavy = Buffer.from(await (await heavyPng(18 * 1024 * 1024)).arrayBuffer())
  const { log, given } = await generated(heavy, 3)
  expect(given).toContain(undefined)
  expect(log).toContain('52428800 bytes in total')
})
