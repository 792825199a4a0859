import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

const anthropic = { 'x-api-key': 'sandbox-key-a', 'anthropic-version': '2023-06-01' }
const beta = { ...anthropic, 'anthropic-beta': 'files-api-2025-04-14' }
const gemini = { 'x-goog-api-key': 'sandbox-key-a' }

async function ask(
  { url }: Sandbox,
  path: string,
  {
    headers,
    method = 'POST',
    body,
  }: { headers: object; method?: string; body?: object | FormData },
): Promise<[number, string]> {
  const isForm = body instanceof FormData
  const reply = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return [reply.status, await reply.text()]
}

function form(...parts: [string, string | Blob, string?][]): FormData {
  const made = new FormData()
  for (const [name, value, file] of parts)
    if (typeof value === 'string') made.append(name, value)
    else made.append(name, value, file ?? 'a.txt')
  return made
}

const file = new Blob(['x'])

test.each<[string, object, FormData, number, string]>([
  ['a file', beta, form(['file', file]), 200, '"downloadable":false'],
  [
    'a file for a day',
    beta,
    form(['file', file], ['expires_in_seconds', '86400']),
    200,
    'expires_at',
  ],
  ['no beta', anthropic, form(['file', file]), 400, 'files-api-2025-04-14'],
  ['no file', beta, form(['expires_in_seconds', '86400']), 400, 'file: Field required'],
  ['two files', beta, form(['file', file], ['file', file]), 400, 'Extra inputs'],
  ['another part', beta, form(['file', file], ['purpose', 'x']), 400, 'purpose: Extra inputs'],
  ['too short', beta, form(['file', file], ['expires_in_seconds', '60']), 400, 'greater than'],
  ['too long', beta, form(['file', file], ['expires_in_seconds', '7776001']), 400, 'less than'],
  ['a wrong name', beta, form(['file', file, 'a:b.txt']), 400, 'forbidden characters'],
])('an upload of files for messages: %s', async (_, headers, body, status, text) => {
  await using sandbox = await startSandbox()
  const [got, said] = await ask(sandbox, '/v1/files', { headers, body })
  expect([got, said]).toEqual([status, expect.stringContaining(text)])
})

test.each([
  ['GET', '/v1/files/file_x'],
  ['DELETE', '/v1/files/file_x'],
  ['GET', '/v1/files/file_x/content'],
  ['GET', '/v1beta/cachedContents/x'],
  ['DELETE', '/v1beta/cachedContents/x'],
])('%s %s of something unknown is refused', async (method, path) => {
  await using sandbox = await startSandbox()
  const headers = path.startsWith('/v1/') ? beta : gemini
  const [status] = await ask(sandbox, path, { method, headers })
  expect(status).toBe(path.startsWith('/v1/') ? 404 : 403)
})

test('a message names files of its account alone', async () => {
  await using sandbox = await startSandbox()
  const [, made] = await ask(sandbox, '/v1/files', { headers: beta, body: form(['file', file]) })
  const { id } = JSON.parse(made) as { id: string }
  const named = (file_id: string) => ({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: [{ type: 'container_upload', file_id }] }],
  })
  const send = (headers: object, name: string) =>
    ask(sandbox, '/v1/messages', { headers, body: named(name) })
  expect((await send(beta, id))[0]).toBe(200)
  expect((await send(beta, 'file_x'))[0]).toBe(404)
  expect((await send({ ...beta, 'x-api-key': 'sandbox-key-b' }, id))[0]).toBe(404)
  const content = await ask(sandbox, `/v1/files/${id}/content`, { method: 'GET', headers: beta })
  expect(content).toEqual([400, expect.stringContaining('file_not_downloadable')])
})

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const model = 'models/m'

test.each<[string, object, number, string]>([
  ['contents', { model, contents }, 200, 'totalTokenCount'],
  ['snake case', { model, system_instruction: contents[0], ttl: '1.5s' }, 200, 'expireTime'],
  ['nothing', { model }, 400, 'no contents'],
  ['no model', { contents }, 400, 'model'],
  ['a bare model', { model: 'm', contents }, 400, 'model'],
  ['an unknown member', { model, contents, generationConfig: {} }, 400, 'generationConfig'],
  ['a wrong time to live', { model, contents, ttl: '1h' }, 400, 'ttl'],
  ['two ends', { model, contents, ttl: '1s', expireTime: '2030-01-01T00:00:00Z' }, 400, 'oneof'],
])('a cached content of %s', async (_, body, status, text) => {
  await using sandbox = await startSandbox()
  const [got, said] = await ask(sandbox, '/v1beta/cachedContents', { headers: gemini, body })
  expect([got, said]).toEqual([status, expect.stringContaining(text)])
})

test('a request names cached contents of its account and its model, without what they have', async () => {
  await using sandbox = await startSandbox()
  const [, made] = await ask(sandbox, '/v1beta/cachedContents', {
    headers: gemini,
    body: { model, contents, ttl: '60s' },
  })
  const { name } = JSON.parse(made) as { name: string }
  const send = async (body: object, at = 'm', headers: object = gemini) =>
    (await ask(sandbox, `/v1beta/models/${at}:generateContent`, { headers, body }))[0]
  const named = { contents, cachedContent: name }
  expect(await send(named)).toBe(200)
  expect(await send(named, 'n')).toBe(400)
  expect(await send({ ...named, systemInstruction: contents[0] })).toBe(400)
  expect(await send({ contents, cachedContent: name.replace('cachedContents/', '') })).toBe(403)
  expect(await send(named, 'm', { 'x-goog-api-key': 'sandbox-key-b' })).toBe(403)
  const ended = { headers: gemini, method: 'PATCH', body: { ttl: '0s' } }
  expect((await ask(sandbox, `/v1beta/${name}`, ended))[0]).toBe(200)
  expect(await send(named)).toBe(403)
})
