import { expect, test } from 'vitest'

import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const json = 'application/json'
const forms = '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na cat\r\n--x--\r\n'

/** What takes forms beside JSON, and what takes JSON alone. */
const takeForms = ['/v1/images/edits', '/v1/videos']
const takeJson = [
  '/v1/images/generations',
  '/v1/files/upload_url',
  '/v1/chat/completions',
  '/v1beta/models/m:predictLongRunning',
]
const paths = [...takeForms, ...takeJson]

async function send({ url, key }: TestGateway, path: string, type: string, body: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  const { error } = (await response.json()) as { error: { message: string } }
  return { status: response.status, message: error.message }
}

/** The types that a path takes. */
function typesOf(path: string): string {
  return takeForms.includes(path) ? `multipart/form-data or ${json}` : json
}

test.each(paths)('%s: a form that is no multipart is told what to be sent as', async (path) => {
  await using gateway = await createTestGateway()
  expect(await send(gateway, path, urlencoded, 'model=m&prompt=a+cat')).toEqual({
    status: 415,
    message: `Send this request as ${typesOf(path)}.`,
  })
})

test.each(paths)('%s: a file instead of a body is told the same', async (path) => {
  await using gateway = await createTestGateway()
  for (const type of ['image/png', 'application/xml', 'application/octet-stream']) {
    expect(await send(gateway, path, type, '\x89PNG')).toEqual({
      status: 415,
      message: `Send this request as ${typesOf(path)}.`,
    })
  }
})

test.each(takeForms)('%s: a form under the header of JSON is known for one', async (path) => {
  await using gateway = await createTestGateway()
  for (const type of [json, 'text/plain', urlencoded]) {
    expect(await send(gateway, path, type, forms)).toEqual({
      status: 415,
      message: `The body is a form, but \`content-type\` is ${type}. Let your HTTP client set that header.`,
    })
  }
})

test.each(takeJson)('%s: so is one where there are none', async (path) => {
  await using gateway = await createTestGateway()
  expect(await send(gateway, path, json, forms)).toEqual({
    status: 415,
    message: `The body is a form. Send this request as ${json}.`,
  })
})

test('the header is not repeated at any length, nor what else stands in it', async () => {
  await using gateway = await createTestGateway()
  const type = `${json}; secret="${'x'.repeat(1_000)}"`
  const { message } = await send(gateway, '/v1/videos', type, forms)
  expect(message).toContain(`is ${json}.`)
})

test('JSON that curl sends without a header is read, and its mistakes are told as such', async () => {
  await using gateway = await createTestGateway()
  const missing = await send(gateway, '/v1/videos', urlencoded, '{"model":"m"}')
  expect(missing).toEqual({ status: 400, message: '`prompt` is required.' })
  const broken = await send(gateway, '/v1/videos', urlencoded, ' {"model":"m",}')
  expect(broken.status).toBe(400)
  expect(broken.message).toContain('not valid JSON: syntax error at line 1, column 15')
})

test('a form whose lines end with LF is told to end them with CRLF', async () => {
  await using gateway = await createTestGateway()
  const type = 'multipart/form-data; boundary=x'
  const body = forms.replaceAll('\r\n', '\n')
  expect(await send(gateway, '/v1/videos', type, body)).toEqual({
    status: 400,
    message: 'The lines of the form must end with CRLF.',
  })
})
