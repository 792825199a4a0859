import { expect, test } from 'vitest'

import { refusal } from '../../uploads/service.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { clock, lendingStage, picture } from './lent.ts'

test('whoever has the URL of an image reads it as one, in part or in whole', async () => {
  await using stage = await lendingStage()
  const url = await stage.lend()
  const whole = await fetch(url)
  expect(whole.status).toBe(200)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(picture.length),
    'content-disposition': expect.stringMatching(/^inline; .*\.png$/),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  })
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(picture.length),
    '',
  ])
  const part = await fetch(url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'PNG'])
  expect((await fetch(url, { headers: { range: 'bytes=999999-' } })).status).toBe(416)
})

test('a URL lives for 60 minutes, and then says that its time is over', async () => {
  const time = clock()
  await using stage = await lendingStage({ now: time.now })
  const url = await stage.lend()
  time.forward(60)
  expect((await fetch(url)).status).toBe(200)
  time.forward(1 / 60)
  for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(403)
  const late = await fetch(url)
  expect(await late.clone().text()).not.toContain('upload_url')
  expect(await refusal(late)).toEqual([403, 'url_expired'])
})

test('a URL that was changed is none', async () => {
  await using stage = await lendingStage()
  const url = await stage.lend()
  const later = url.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) + 3_600}`)
  const other = url.replace(/[\da-f]{8}-/, '00000000-')
  const minute = url.replace(/results\/(\d+)/, (_, time) => `results/${Number(time) + 1}`)
  const upload = url.replace('/results/', '/local/')
  const unsigned = url.replace(/&signature=.*/, '')
  const forged = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const changed = [later, other, minute, upload, unsigned, forged]
  expect(new Set([url, ...changed]).size).toBe(7)
  for (const each of changed) {
    expect(await refusal(await fetch(each))).toEqual([403, 'url_signature_invalid'])
  }
  const put = await fetch(url, { method: 'PUT', body: 'mine' })
  expect(await refusal(put)).toEqual([403, 'url_signature_invalid'])
  expect((await fetch(url)).status).toBe(200)
})

test('URLs go on after a restart, and with every replica', async () => {
  await using place = await temporaryDirectory()
  const options = {
    store: `file:${place.path}/store`,
    uploads: { directory: `${place.path}/files` },
  }
  let url = ''
  {
    await using first = await lendingStage(options)
    await using second = await lendingStage(options)
    url = await first.lend()
    const elsewhere = await fetch(url.replace(first.gateway.url, second.gateway.url))
    expect(elsewhere.status).toBe(200)
    url = url.replace(first.gateway.url, '')
  }
  await using third = await lendingStage(options)
  const again = await fetch(third.gateway.url + url)
  expect(Buffer.from(await again.arrayBuffer())).toEqual(picture)
})

test('the access log tells that an image was read, and shows no signature', async () => {
  await using stage = await lendingStage()
  await (await fetch(await stage.lend())).arrayBuffer()
  const [, read] = await stage.gateway.logged(2)
  expect(read).toMatchObject({ route: 'uploads.visit', status: 200, bytes_out: picture.length })
  expect(JSON.stringify(stage.gateway.accessLog)).not.toContain('signature')
})
