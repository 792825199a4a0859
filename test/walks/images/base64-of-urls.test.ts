import { beforeAll, expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { startPictureHost, trustPictureHosts } from '../losses/picture-host.ts'
import { edit, legacy, newer } from './limits.ts'
import { lendingStage, picture } from './lent.ts'
import type { Part } from './stage.ts'

beforeAll(trustPictureHosts)

const base64 = picture.toString('base64')

test('a client that is due base64 gets it of an account that has URLs alone', async () => {
  await using host = await startPictureHost(picture, 'image/png')
  const data = [{ url: `${host.url}/a`, revised_prompt: 'a hat' }, { url: `${host.url}/b` }]
  await using stage = await lendingStage({ remote: { allow: [host.address] } }, data)
  const two: Part = ['n', '2']
  for (const fields of [edit(newer, two), edit(legacy, two, ['response_format', 'b64_json'])]) {
    expect(await (await stage.form(fields)).json()).toEqual({
      created: 5,
      output_format: 'png',
      data: [{ b64_json: base64, revised_prompt: 'a hat' }, { b64_json: base64 }],
    })
  }
  expect(host.requests[0]?.headers).not.toHaveProperty('authorization')
})

test('or of one whose URLs are the data', async () => {
  await using stage = await lendingStage({}, [{ url: `data:image/png;base64,${base64}` }])
  const response = await stage.form(edit(newer))
  expect(await response.json()).toMatchObject({
    data: [{ b64_json: base64 }],
    output_format: 'png',
  })
})

test('a client that asks for neither gets what the account of a newer model gives', async () => {
  const data = [{ url: `data:image/png;base64,${base64}` }]
  await using stage = await lendingStage({}, data)
  const made = await stage.openai.images.generate({ model: 'painter', prompt: 'a cat' })
  expect(made).toMatchObject({ data })
})

test('what the gateway may not fetch passes as it is, and the log says why', async () => {
  await using host = await startPictureHost(picture, 'image/png')
  const data = [{ url: `${host.url}/a` }]
  await using stage = await lendingStage({}, data)
  const response = await stage.form(edit(newer))
  expect([response.status, await response.json()]).toMatchObject([200, { data }])
  expect(host.connections()).toBe(0)
  const [line] = stage.gateway.log
  expect(line).toMatchObject({ level: 'warn', msg: 'image conversion to `b64_json` failed' })
  expect(JSON.stringify(line)).toContain('public address')
})

test('a gateway that is to fetch no files fetches none of an account’s either', async () => {
  await using host = await startPictureHost(picture, 'image/png')
  const data = [{ url: `${host.url}/a` }]
  const remote = { allow: [host.address], maxFiles: 0 }
  await using stage = await lendingStage({ remote }, data)
  const response = await stage.form(edit(newer))
  expect([response.status, await response.json()]).toMatchObject([200, { data }])
  expect(host.connections()).toBe(0)
  expect(JSON.stringify(stage.gateway.log)).toContain('fetches no files')
})

test('what is no image passes as it is', async () => {
  await using host = await startPictureHost(Buffer.from('<html>'), 'text/html')
  const data = [{ url: `${host.url}/a` }]
  await using stage = await lendingStage({ remote: { allow: [host.address] } }, data)
  expect(await (await stage.form(edit(newer))).json()).toMatchObject({ data })
})

test('a client that leaves while its image is fetched ends its exchange', async () => {
  await using host = await startFakeAccount(() => {})
  const remote = { allowHttp: true, allow: [new URL(host.url).host] }
  await using stage = await lendingStage({ remote }, [{ url: `${host.url}/a` }])
  const leaving = new AbortController()
  const asked = stage.openai.images.generate(
    { model: 'painter', prompt: 'a cat', response_format: 'b64_json' },
    { signal: leaving.signal },
  )
  await until(() => host.requests.length === 1)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await until(() => stage.gateway.gateway.inflight() === 0)
  expect((await stage.gateway.logged(1))[0]).toMatchObject({ status: 499 })
  expect(stage.gateway.log).toEqual([])
})
