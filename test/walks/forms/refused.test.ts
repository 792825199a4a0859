import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { beginUpload, boundary, type SendOptions, startForms, uploadOf } from './service.ts'

const MiB = 1024 * 1024
const small = uploadOf(Buffer.alloc(100))
const large = uploadOf(Buffer.alloc(3 * MiB))
const text = small.toString('latin1')

const another = 'multipart/form-data; boundary=another'

const refusals: [string, RequestInit['body'], SendOptions, number, string][] = [
  ['breaks off', small.subarray(0, 150), {}, 400, 'invalid_form'],
  ['has another boundary', small, { headers: { 'content-type': another } }, 400, 'invalid_form'],
  [
    'names none',
    small,
    { headers: { 'content-type': 'multipart/form-data' } },
    400,
    'invalid_form',
  ],
  ['has no parts', `--${boundary}--\r\n`, {}, 400, 'invalid_form'],
  ['is empty', '', {}, 400, 'invalid_form'],
  [
    'has the model twice',
    text.replace('"image"', '"model"').replace('; filename="a.png"', ''),
    {},
    400,
    'duplicate_parameter',
  ],
  ['has the model in disguise', text.replace('"image"', '"Model"'), {}, 400, 'invalid_value'],
  ['has no model', text.replace('"model"', '"other"'), {}, 400, 'missing_required_parameter'],
  [
    'has a model that nobody has',
    uploadOf(Buffer.alloc(3 * MiB), 'nobody-has-it'),
    {},
    404,
    'model_not_found',
  ],
  [
    'is compressed',
    large,
    { headers: { 'content-encoding': 'gzip' } },
    415,
    'unsupported_media_type',
  ],
  [
    'is another kind of parts',
    large,
    { headers: { 'content-type': 'multipart/mixed; boundary=a' } },
    415,
    'unsupported_media_type',
  ],
]

test.each(refusals)('a form that %s', async (_, body, options, status, code) => {
  await using service = await startForms()
  const response = await service.send(body, options)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code: status, details: [{ code }] } })
  expect(service.accounts[0]?.requests).toEqual([])
  await service.isClear()
})

test.each([
  ['the form', { formBytes: 2 * MiB }, 413, 'request_too_large'],
  ['a part of it', { formPartBytes: 2 * MiB }, 413, 'request_too_large'],
])('%s must not be larger than its limit', async (_, limits, status, code) => {
  await using service = await startForms(undefined, { limits })
  const response = await service.send(large)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code: status, details: [{ code }] } })
  expect(response.headers.get('retry-after')).toBeNull()
  await service.isClear()
  expect((await service.send(small)).status).toBe(200)
})

test('what is on disk must not be larger than its limit: others’ uploads make room again', async () => {
  const limits = { formBytes: 4 * MiB, spoolBytes: 4 * MiB }
  const keys = ['test-secret', 'other-secret'].map((secret) => ({ id: secret, secret }))
  await using service = await startForms(undefined, { limits, keys })
  const begun = beginUpload({ url: service.gateway.url, key: 'other-secret' }, large.length)
  begun.socket.write(large.subarray(0, 2 * MiB))
  await until(() => service.gateway.gateway.spooled() > MiB)
  const response = await service.send(large)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toMatchObject({ error: { details: [{ code: 'spool_full' }] } })
  begun.socket.destroy()
  await service.isClear()
  expect((await service.send(large)).status).toBe(200)
})

test('one key cannot fill the spool, and may send again when its other forms have ended', async () => {
  const limits = { formBytes: 4 * MiB, spoolBytes: 8 * MiB }
  const keys = ['test-secret', 'other-secret'].map((secret) => ({ id: secret, secret }))
  await using service = await startForms(undefined, { limits, keys })
  const greedy = { url: service.gateway.url, key: 'other-secret' }
  const first = beginUpload(greedy, large.length)
  first.socket.write(large.subarray(0, 2 * MiB))
  await until(() => service.gateway.gateway.spooled() > MiB)
  const second = beginUpload(greedy, large.length)
  await until(() => second.answer.includes('HTTP/1.1 429'))
  expect(second.answer).toMatch(/^retry-after: 5/im)
  expect((await service.send(large)).status).toBe(200)
  first.socket.destroy()
  await service.isClear()
  const authorization = 'Bearer other-secret'
  expect((await service.send(large, { headers: { authorization } })).status).toBe(200)
})

test('a client that stops sending is told so', async () => {
  await using service = await startForms(undefined, { timeouts: { requestBodyMs: 200 } })
  const begun = beginUpload(service.gateway, large.length)
  begun.socket.write(large.subarray(0, 2 * MiB))
  await until(() => begun.answer.includes('HTTP/1.1 408'))
  await service.isClear()
  begun.socket.destroy()
})

test('a client without a key is refused before anything is kept', async () => {
  await using service = await startForms()
  const response = await service.send(large, { headers: { authorization: 'Bearer wrong' } })
  expect(response.status).toBe(401)
  expect(service.gateway.gateway.spooled()).toBe(0)
})
