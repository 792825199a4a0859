import { createHash } from 'node:crypto'

import { toFile } from 'openai-7'
import { expect, test } from 'vitest'

import { clientOf, filesStage, jsonl, line } from './stage.ts'

const text = (content = 'a text') => toFile(Buffer.from(content), 'text.txt')

test('a file has an id of the gateway, and everything of the account besides', async () => {
  await using stage = await filesStage()
  const { files } = stage.openai
  const created = await files.create({
    file: await text(),
    purpose: 'vision',
    expires_after: { anchor: 'created_at', seconds: 3_600 },
  })
  expect(created.id).toMatch(/^file-[0-9a-z]{29}$/)
  expect(created).toMatchObject({
    object: 'file',
    bytes: 6,
    filename: 'text.txt',
    purpose: 'vision',
  })
  expect(created.expires_at).toBeGreaterThan(Date.now() / 1_000 + 3_500)
  expect(await files.retrieve(created.id)).toEqual(created)
  const content = await files.content(created.id)
  expect(await content.text()).toBe('a text')
  expect(content.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(content.headers.get('content-disposition')).toBe(`attachment; filename="${created.id}"`)
  expect(await files.delete(created.id)).toEqual({ id: created.id, object: 'file', deleted: true })
  await expect(files.retrieve(created.id)).rejects.toMatchObject({ status: 404 })
  expect((await files.list()).data).toEqual([])
  const upstream = stage.sandbox.requests.map(({ url }) => url)
  expect(upstream.some((url) => url.includes(created.id))).toBe(false)
})

test('files are listed by purpose, page by page, from the records of the gateway', async () => {
  await using stage = await filesStage()
  const { files } = stage.openai
  const ids: string[] = []
  for (const purpose of ['vision', 'user_data', 'vision'] as const)
    ids.push((await files.create({ file: await text(), purpose })).id)
  const asked = stage.sandbox.requests.length
  const listed = async (query: object) => {
    const all: string[] = []
    for await (const file of files.list(query)) all.push(file.id)
    return all
  }
  expect(await listed({})).toEqual(ids.toReversed())
  expect(await listed({ limit: 1, order: 'asc' })).toEqual(ids)
  expect(await listed({ purpose: 'vision' })).toEqual([ids[2], ids[0]])
  expect(stage.sandbox.requests).toHaveLength(asked)
  for (const query of ['limit=0', 'limit=10001', 'order=up', 'after=file-x']) {
    const reply = await fetch(`${stage.gateway.url}/v1/files?${query}`, {
      headers: { authorization: 'Bearer secret-one' },
    })
    expect([query, reply.status]).toEqual([query, 400])
  }
})

test('the parts of a form may have any order', async () => {
  await using stage = await filesStage()
  const form = new FormData()
  form.append('file', new Blob([`${line('1')}\n`]), 'lines.jsonl')
  form.append('purpose', 'batch')
  const reply = await upload(stage.gateway.url, form)
  expect(reply.status).toBe(200)
})

test.each([
  ['no purpose', [['file']], 'purpose'],
  ['no file', [['purpose', 'vision']], 'file'],
  ['two files', [['purpose', 'vision'], ['file'], ['file']], 'file'],
  ['another file', [['purpose', 'vision'], ['file'], ['attachment']], 'file'],
  [
    'a file under a name that a server may take for it',
    [['purpose', 'vision'], ['file[]']],
    'file',
  ],
  ['two purposes', [['purpose', 'vision'], ['purpose', 'batch'], ['file']], 'purpose'],
  [
    'a text in place of the file',
    [
      ['purpose', 'vision'],
      ['file', 'a text'],
    ],
    'file',
  ],
] as const)('%s is refused before an account is asked', async (_, parts, param) => {
  await using stage = await filesStage()
  const form = new FormData()
  for (const [name, value] of parts) {
    if (value === undefined) form.append(name, new Blob(['x']), 'x.jsonl')
    else form.append(name, value)
  }
  const reply = await upload(stage.gateway.url, form)
  const { error } = (await reply.json()) as { error: { param: string } }
  expect([reply.status, error.param]).toEqual([400, param])
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('an account refuses what it does not take, in its words', async () => {
  await using stage = await filesStage()
  const { files } = stage.openai
  const wrong = files.create({ file: await text(), purpose: 'nothing' as 'vision' })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
  expect((await files.list()).data).toEqual([])
})

test('a file goes to another account if the first one fails', async () => {
  await using stage = await filesStage({
    accounts: [
      { id: 'a', priority: 0, apiKey: 'wrong' },
      { id: 'b', priority: 1 },
    ],
  })
  const { id } = await stage.openai.files.create({ file: await text(), purpose: 'vision' })
  expect(stage.lastAccount()).toBe('b')
  expect(await (await stage.openai.files.content(id)).text()).toBe('a text')
})

test('an account that cannot store files gets none', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a', speaks: ['chat'] }] })
  const created = stage.openai.files.create({ file: await text(), purpose: 'vision' })
  await expect(created).rejects.toMatchObject({ status: 503 })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a file that its client does not wait for is its key’s all the same, and a cut one nobody’s', async () => {
  await using stage = await filesStage()
  const boundary = 'b'
  const whole =
    `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nvision\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n` +
    'x'.repeat(2 * 1024 * 1024)
  const leaving = new AbortController()
  const sent = fetch(`${stage.gateway.url}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer secret-one',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(whole))
        setTimeout(() => leaving.abort(), 100)
      },
    }),
    duplex: 'half',
    signal: leaving.signal,
  } as RequestInit)
  await expect(sent).rejects.toThrow()
  await expect.poll(() => stage.gateway.gateway.inflight(), { timeout: 15_000 }).toBe(0)
  expect(stage.gateway.gateway.spooled()).toBe(0)
  expect(stage.sandbox.requests).toHaveLength(0)
  expect((await stage.openai.files.list()).data).toEqual([])
})

test('a request that names a file reaches the account that has it, by the account’s id', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai } = stage
  const file = await openai.files.create({ file: await text(), purpose: 'user_data' })
  const owner = stage.lastAccount()
  for (let call = 0; call < 6; call++) {
    await openai.responses.create({
      model: 'm',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_file', file_id: file.id },
          ],
        },
      ],
    })
    expect(stage.lastAccount()).toBe(owner)
    const sent = String(stage.sandbox.requests.at(-1)?.body)
    expect(sent).not.toContain(file.id)
    expect(sent).toMatch(/"file_id":"file-[0-9a-f]{24}"/)
    await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: file.id } }] }],
    })
    expect(stage.lastAccount()).toBe(owner)
  }
})

test('a file of another key is unknown in each place, and so is its id at the account', async () => {
  await using stage = await filesStage()
  const { openai, other } = stage
  const { id } = await openai.files.create({ file: await text(), purpose: 'user_data' })
  const upstream = stage.sandbox.requests.length
  const naming = (client: typeof openai, file_id: string) =>
    client.responses.create({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }],
    })
  await expect(other.files.retrieve(id)).rejects.toMatchObject({ status: 404 })
  await expect(other.files.content(id)).rejects.toMatchObject({ status: 404 })
  await expect(other.files.delete(id)).rejects.toMatchObject({ status: 404 })
  await expect(naming(other, id)).rejects.toMatchObject({
    status: 404,
    param: 'input[0].content[0].file_id',
  })
  expect((await other.files.list()).data).toEqual([])
  expect(stage.sandbox.requests).toHaveLength(upstream)
  await naming(openai, id)
  const [, own = ''] = /"file_id":"([^"]+)"/.exec(String(stage.sandbox.requests.at(-1)?.body)) ?? []
  await expect(other.files.retrieve(own)).rejects.toMatchObject({ status: 404 })
  await expect(openai.files.retrieve(own)).rejects.toMatchObject({ status: 404 })
  await expect(naming(other, own)).rejects.toMatchObject({ status: 400 })
})

test('a file whose account has left is unavailable, not unknown', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai, gateway } = stage
  const { id } = await openai.files.create({ file: await text(), purpose: 'vision' })
  const rest = ['a', 'b'].filter((one) => one !== stage.lastAccount())
  gateway.reload({
    accounts: rest.map((account) => ({
      id: account,
      provider: 'sandbox' as const,
      baseUrl: stage.sandbox.url,
      apiKey: `sandbox-key-${account}`,
      models: ['m'],
      speaks: ['responses', 'files'],
    })),
  })
  for (const ask of [
    () => openai.files.retrieve(id),
    () => openai.files.content(id),
    () => openai.files.delete(id),
    () =>
      openai.responses.create({
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }],
      }),
  ])
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  expect((await openai.files.list()).data).toHaveLength(1)
})

test('an upload in parts becomes a file', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai, other } = stage
  const upload = await openai.uploads.create({
    bytes: 6,
    filename: 'text.txt',
    mime_type: 'text/plain',
    purpose: 'vision',
  })
  expect(upload).toMatchObject({ object: 'upload', status: 'pending' })
  const part = async (content: string) =>
    openai.uploads.parts.create(upload.id, { data: await toFile(Buffer.from(content)) })
  const [first, second] = [await part('a t'), await part('ext')]
  expect([first.upload_id, second.upload_id]).toEqual([upload.id, upload.id])
  await expect(other.uploads.complete(upload.id, { part_ids: [first.id] })).rejects.toMatchObject({
    status: 404,
  })
  await expect(other.uploads.cancel(upload.id)).rejects.toMatchObject({ status: 404 })
  const own = await other.uploads.create({
    bytes: 3,
    filename: 'b',
    mime_type: 'text/plain',
    purpose: 'vision',
  })
  await expect(other.uploads.complete(own.id, { part_ids: [first.id] })).rejects.toMatchObject({
    status: 404,
    param: 'part_ids',
  })
  expect((await other.uploads.cancel(own.id)).status).toBe('cancelled')
  const done = await openai.uploads.complete(upload.id, { part_ids: [first.id, second.id] })
  expect(done).toMatchObject({ id: upload.id, status: 'completed', file: { bytes: 6 } })
  const { id = '' } = done.file ?? {}
  expect(await (await openai.files.content(id)).text()).toBe('a text')
  expect((await openai.files.list()).data.map((file) => file.id)).toEqual([id])
})

test('an upload in parts is no way around the check of requests', async () => {
  await using stage = await filesStage()
  const begun = stage.openai.uploads.create({
    bytes: 6,
    filename: 'lines.jsonl',
    mime_type: 'application/jsonl',
    purpose: 'batch',
  })
  await expect(begun).rejects.toMatchObject({ status: 400, param: 'purpose' })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a file arrives byte by byte as it was sent', async () => {
  await using stage = await filesStage()
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'dragoman ')
  await stage.openai.files.create({ file: await toFile(bytes, 'a.bin'), purpose: 'vision' })
  const [sent] = stage.sandbox.requests.at(-1)?.form?.files ?? []
  expect(sent).toMatchObject({
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
})

test('a file of requests is no file of requests for another client', async () => {
  await using stage = await filesStage()
  const file = await stage.openai.files.create({ file: await jsonl(line('1')), purpose: 'batch' })
  const batch = clientOf(stage.gateway, 'secret-two').batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  await expect(batch).rejects.toMatchObject({ status: 404, param: 'input_file_id' })
})

function upload(url: string, body: FormData): Promise<Response> {
  const headers = { authorization: 'Bearer secret-one' }
  return fetch(`${url}/v1/files`, { method: 'POST', headers, body })
}
