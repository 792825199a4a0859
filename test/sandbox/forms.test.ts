import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { postForm, postRaw, refusalOf } from './forms.ts'

const path = '/v1/images/edits'

describe('a form that is none', () => {
  const typed = 'multipart/form-data; boundary=b'
  const part = '--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nx'
  test.each([
    ['without a boundary', 'multipart/form-data', `${part}\r\n--b--\r\n`],
    ['cut off', typed, part],
    ['empty', typed, ''],
    ['of another kind', 'multipart/mixed; boundary=b', `${part}\r\n--b--\r\n`],
  ])('%s', async (_, contentType, body) => {
    await using sandbox = await startSandbox()
    const refusal = await refusalOf(await postRaw(sandbox, path, contentType, body))
    expect(refusal.status).toBe(400)
    expect(refusal).toHaveProperty('message', expect.stringContaining('multipart form'))
  })

  test('with a thousand parts are too much', async () => {
    await using sandbox = await startSandbox()
    const body = `${`${part}\r\n`.repeat(1000)}--b--\r\n`
    expect((await postRaw(sandbox, path, typed, body)).status).toBe(413)
  })

  test('are no JSON where only JSON is taken', async () => {
    await using sandbox = await startSandbox()
    const response = await postForm(sandbox, '/v1/images/generations', [['prompt', 'x']])
    expect(response.status).toBe(415)
  })
})

test('a client that goes away in the middle of a file is recorded as gone', async () => {
  await using sandbox = await startSandbox()
  const controller = new AbortController()
  const start = '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nxxxx'
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(start)) })
  const headers = {
    authorization: 'Bearer sandbox-key-a',
    'content-type': 'multipart/form-data; boundary=b',
  }
  const options = {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
    signal: controller.signal,
  } as const
  const answer = fetch(sandbox.url + path, options)
  await until(() => sandbox.requests[0]?.bodySize === start.length)
  controller.abort()
  await expect(answer).rejects.toThrow('aborted')
  await until(() => sandbox.requests[0]?.finished === 'aborted')
})
