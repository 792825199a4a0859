import { createHash } from 'node:crypto'

import Anthropic, { BadRequestError } from 'anthropic-1'
import AnthropicBeta from 'anthropic-0'
import { toFile } from 'openai-7'
import { expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { type FilesStage, filesStage } from './stage.ts'

const speaks = ['messages', 'message-batches', 'message-files']

const stageOf = (options: Parameters<typeof filesStage>[0] = {}) =>
  filesStage({
    ...options,
    accounts: (options.accounts ?? [{ id: 'a' }]).map((one) => ({ speaks, ...one })),
  })

const optionsOf = ({ gateway }: FilesStage, key = 'one') => ({
  baseURL: gateway.url,
  apiKey: `secret-${key}`,
  maxRetries: 0,
})

function clientOf(stage: FilesStage, key?: string) {
  return new Anthropic(optionsOf(stage, key))
}

const text = (content = 'a text') =>
  toFile(Buffer.from(content), 'text.txt', { type: 'text/plain' })

const notFound = { status: 404, error: { type: 'error', error: { type: 'not_found_error' } } }

/** Blocks that name a file. */
const blocks: Record<string, (id: string) => object> = {
  document: (file_id) => ({ type: 'document', source: { type: 'file', file_id } }),
  image: (file_id) => ({ type: 'image', source: { type: 'file', file_id } }),
  container_upload: (file_id) => ({ type: 'container_upload', file_id }),
  'a document in a result of a tool': (file_id) => ({
    type: 'tool_result',
    tool_use_id: 't',
    content: [{ type: 'document', source: { type: 'file', file_id } }],
  }),
}

const naming = (block: object, model = 'm') => ({
  model,
  max_tokens: 16,
  messages: [
    { role: 'user' as const, content: 'Hello' },
    ...('tool_use_id' in block
      ? [
          {
            role: 'assistant' as const,
            content: [{ type: 'tool_use' as const, id: 't', name: 'n', input: {} }],
          },
        ]
      : []),
    { role: 'user' as const, content: [block] as never },
  ],
})

test('a file for messages has an id of the gateway, and everything of the account besides', async () => {
  await using stage = await stageOf()
  const { files } = clientOf(stage)
  const created = await files.upload({ file: await text(), expires_in_seconds: 3_600 })
  expect(created.id).toMatch(/^file_[0-9a-z]{29}$/)
  expect(created).toMatchObject({
    type: 'file',
    filename: 'text.txt',
    mime_type: 'text/plain',
    size_bytes: 6,
    downloadable: false,
  })
  expect(Date.parse(created.expires_at ?? '')).toBeGreaterThan(Date.now() + 3_500_000)
  expect(await files.retrieveMetadata(created.id)).toEqual(created)
  await expect(files.download(created.id)).rejects.toBeInstanceOf(BadRequestError)
  expect(await files.delete(created.id)).toEqual({ id: created.id, type: 'file_deleted' })
  await expect(files.retrieveMetadata(created.id)).rejects.toMatchObject(notFound)
  expect((await files.list()).data).toEqual([])
  expect(stage.sandbox.requests.some(({ url }) => url.includes(created.id))).toBe(false)
})

test('the beta client works as well, and its older lists', async () => {
  await using stage = await stageOf()
  const { files } = new AnthropicBeta(optionsOf(stage)).beta
  const ids: string[] = []
  for (const betas of [undefined, ['files-api-2025-04-14'], ['skills-2025-10-02']]) {
    const named = betas ? { betas } : {}
    ids.unshift((await files.upload({ file: await text(), ...named })).id)
  }
  const asked = stage.sandbox.requests.length
  const all: string[] = []
  for await (const { id } of files.list({ limit: 1 })) all.push(id)
  expect(all).toEqual(ids)
  const read = async (query: string) => {
    const reply = await fetch(`${stage.gateway.url}/v1/files?${query}`, {
      headers: { 'x-api-key': 'secret-one', 'anthropic-version': '2023-06-01' },
    })
    const json = (await reply.json()) as { data?: { id: string }[]; has_more: boolean }
    return [reply.status, json.data?.map(({ id }) => id), json.has_more]
  }
  expect(await read(`limit=1&after_id=${ids[0]}`)).toEqual([200, [ids[1]], true])
  expect(await read(`limit=1&before_id=${ids[2]}`)).toEqual([200, [ids[1]], true])
  expect(await read(`ids=${ids[2]}&ids=file_x&ids=${ids[0]}`)).toEqual([
    200,
    [ids[2], ids[0]],
    false,
  ])
  expect(stage.sandbox.requests).toHaveLength(asked)
  for (const query of ['limit=0', 'limit=1001', 'after_id=file_x', 'page=x'])
    expect([query, (await read(query))[0]]).toEqual([query, 400])
})

test.each(Object.entries(blocks))(
  'messages, counts and batches that name a file reach the account that has it: %s',
  async (_, block) => {
    await using stage = await stageOf({ accounts: [{ id: 'a' }, { id: 'b' }] })
    const client = clientOf(stage)
    const { id } = await client.files.upload({ file: await text() })
    const owner = stage.lastAccount()
    const request = naming(block(id))
    const { max_tokens: _max, ...counted } = request
    for (let call = 0; call < 4; call++) {
      await client.messages.create(request)
      expect(stage.lastAccount()).toBe(owner)
      const sent = String(stage.sandbox.requests.at(-1)?.body)
      expect(sent).not.toContain(id)
      expect(sent).toMatch(/"file_id":"file_[0-9a-f]{24}"/)
      await client.messages.countTokens(counted)
      expect(stage.lastAccount()).toBe(owner)
    }
    const requests = [{ custom_id: '1', params: request }]
    await client.messages.batches.create({ requests })
    expect(stage.lastAccount()).toBe(owner)
    expect(String(stage.sandbox.requests.at(-1)?.body)).toMatch(/"file_id":"file_[0-9a-f]{24}"/)
  },
)

test.each(Object.entries(blocks))('a file of another key is unknown in %s', async (_, block) => {
  await using stage = await stageOf()
  const [own, other] = [clientOf(stage), clientOf(stage, 'two')]
  const { id } = await own.files.upload({ file: await text() })
  await own.messages.create(naming(block(id)))
  const [, upstream = ''] =
    /"file_id":"([^"]+)"/.exec(String(stage.sandbox.requests.at(-1)?.body)) ?? []
  const asked = stage.sandbox.requests.length
  for (const named of [id, upstream]) {
    const request = naming(block(named))
    const status = named === id ? 404 : 400
    await expect(other.messages.create(request)).rejects.toMatchObject({ status })
    const requests = [{ custom_id: '1', params: request }]
    await expect(other.messages.batches.create({ requests })).rejects.toMatchObject({ status })
    for (const ask of [
      () => other.files.retrieveMetadata(named),
      () => other.files.download(named),
      () => other.files.delete(named),
    ])
      await expect(ask()).rejects.toMatchObject(notFound)
  }
  expect((await other.files.list()).data).toEqual([])
  expect((await other.files.list({ ids: [id] })).data).toEqual([])
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a file that the account of another dialect cannot have is a clear error', async () => {
  await using stage = await stageOf({
    accounts: [{ id: 'a' }, { id: 'b', models: ['n'], speaks: ['chat'] }],
  })
  const client = clientOf(stage)
  const { id } = await client.files.upload({ file: await text() })
  const asked = stage.sandbox.requests.length
  const refused = client.messages.create(naming(blocks['document']!(id), 'n'))
  await expect(refused).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('has the file of this request') as string,
  })
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a file whose account has left, or whose store is away, is not unknown', async () => {
  const store = breakable(openMemoryStore())
  await using stage = await stageOf({ store })
  const client = clientOf(stage)
  const { id } = await client.files.upload({ file: await text() })
  const asks = [
    () => client.files.retrieveMetadata(id),
    () => client.files.download(id),
    () => client.files.delete(id),
    () => client.messages.create(naming(blocks['image']!(id))),
  ]
  store.broken.reads = true
  for (const ask of [...asks, () => client.files.list(), () => client.files.download('file_made')])
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  store.broken.reads = false
  stage.gateway.reload({ accounts: [] })
  for (const ask of asks.slice(0, 3)) await expect(ask()).rejects.toMatchObject({ status: 503 })
  expect((await client.files.list()).data).toHaveLength(1)
})

test('a file for messages arrives byte by byte, and a refused one leaves nothing', async () => {
  await using stage = await stageOf()
  const { files } = clientOf(stage)
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'dragoman ')
  await files.upload({ file: await toFile(bytes, 'a.bin') })
  const [sent] = stage.sandbox.requests.at(-1)?.form?.files ?? []
  expect(sent).toMatchObject({ sha256: createHash('sha256').update(bytes).digest('hex') })
  const short = files.upload({ file: await text(), expires_in_seconds: 1 })
  await expect(short).rejects.toMatchObject({ status: 400 })
  expect((await files.list()).data).toHaveLength(1)
  expect(stage.gateway.gateway.spooled()).toBe(0)
})

test.each([
  ['no file', {}],
  ['two files', { file: 2 }],
  ['another file', { attachment: 1 }],
])('a form with %s is refused before an account is asked', async (_, parts) => {
  await using stage = await stageOf()
  const form = new FormData()
  for (const [name, count] of Object.entries(parts))
    for (let one = 0; one < count; one++) form.append(name, new Blob(['x']), 'x.txt')
  const reply = await fetch(`${stage.gateway.url}/v1/files`, {
    method: 'POST',
    headers: { 'x-api-key': 'secret-one', 'anthropic-version': '2023-06-01' },
    body: form,
  })
  expect([reply.status, await reply.json()]).toMatchObject([400, { type: 'error' }])
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('each API has its own files at the same paths', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a', speaks: [...speaks, 'files'] }] })
  const { files } = clientOf(stage)
  const file = await text()
  const ours = await files.upload({ file })
  const theirs = await stage.openai.files.create({ file, purpose: 'vision' })
  expect((await files.list()).data.map(({ id }) => id)).toEqual([ours.id])
  expect((await stage.openai.files.list()).data.map(({ id }) => id)).toEqual([theirs.id])
  await expect(files.retrieveMetadata(theirs.id.replace('-', '_'))).rejects.toMatchObject(notFound)
})
