import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

/** A request: its method, its path, and its body. */
type Ask = readonly [method: string, path: string, body?: object | (() => FormData) | undefined]

/** A kind of objects that keys make, and everything that an id of one can be used for. */
interface Kind {
  /** Makes one, and returns its id, or what its paths have of it. */
  make(): Promise<string>
  /** Requests about the object, all of which its paths name. */
  asks(id: string): readonly Ask[]
  /** Requests that name it in their bodies. */
  uses?(id: string): readonly Ask[]
  /** The path of the list in which its key finds it. */
  readonly list?: string
}

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let gateway: TestGateway

beforeAll(async () => {
  sandbox = await startSandbox()
  gateway = await createTestGateway({
    keys: ['one', 'two'].map((id) => ({ id, secret: `secret-${id}` })),
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
      },
    ],
  })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await sandbox[Symbol.asyncDispose]()
})

const model = 'm'
const message = { role: 'user', content: 'Hello' }
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const request = { model, max_tokens: 9, messages: [message] }

function form(...parts: readonly (readonly [string, string])[]): () => FormData {
  return () => {
    const made = new FormData()
    for (const [name, value] of parts) {
      if (name.startsWith('@')) made.append(name.slice(1), new Blob([value]), 'a.jsonl')
      else made.append(name, value)
    }
    return made
  }
}

const line = JSON.stringify({
  custom_id: '1',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model, messages: [message] },
})

const uploadFile = () => make('/v1/files', form(['purpose', 'batch'], ['@file', `${line}\n`]))
const order = (input_file_id: string) => ({
  input_file_id,
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
})
const newUpload = { bytes: 1, filename: 'a', mime_type: 'text/plain', purpose: 'vision' }
const item = { type: 'message', role: 'user', content: 'Hello' }

const kinds: Record<string, Kind> = {
  file: {
    make: uploadFile,
    asks: (id) => [
      ['GET', `/v1/files/${id}`],
      ['GET', `/v1/files/${id}/content`],
      ['DELETE', `/v1/files/${id}`],
    ],
    uses: (id) => [
      ['POST', '/v1/batches', order(id)],
      [
        'POST',
        '/v1/responses',
        { model, input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }] },
      ],
    ],
    list: '/v1/files',
  },
  batch: {
    make: async () => make('/v1/batches', order(await uploadFile())),
    asks: (id) => [
      ['GET', `/v1/batches/${id}`],
      ['POST', `/v1/batches/${id}/cancel`],
    ],
    list: '/v1/batches',
  },
  'upload in parts': {
    make: () => make('/v1/uploads', newUpload),
    asks: (id) => [
      ['POST', `/v1/uploads/${id}/parts`, form(['@data', 'x'])],
      ['POST', `/v1/uploads/${id}/complete`, { part_ids: ['part_x'] }],
      ['POST', `/v1/uploads/${id}/cancel`],
    ],
  },
  'part of an upload': {
    make: async () =>
      make(`/v1/uploads/${await make('/v1/uploads', newUpload)}/parts`, form(['@data', 'x'])),
    asks: () => [],
    uses: (id) => [['POST', '/v1/uploads/OWN/complete', { part_ids: [id] }]],
  },
  'file of Anthropic': {
    make: () => make('/v1/files', form(['@file', 'x']), 'anthropic'),
    asks: (id) => [
      ['GET', `/v1/files/${id}`],
      ['GET', `/v1/files/${id}/content`],
      ['DELETE', `/v1/files/${id}`],
    ],
    uses: (id) => {
      const content = [{ type: 'container_upload', file_id: id }]
      const naming = { ...request, messages: [{ role: 'user', content }] }
      return [
        ['POST', '/v1/messages', naming],
        ['POST', '/v1/messages/count_tokens', { model, messages: naming.messages }],
        ['POST', '/v1/messages/batches', { requests: [{ custom_id: '1', params: naming }] }],
      ]
    },
    list: '/v1/files?anthropic',
  },
  'batch of messages': {
    make: () => make('/v1/messages/batches', { requests: [{ custom_id: '1', params: request }] }),
    asks: (id) => [
      ['GET', `/v1/messages/batches/${id}`],
      ['GET', `/v1/messages/batches/${id}/results`],
      ['POST', `/v1/messages/batches/${id}/cancel`],
      ['DELETE', `/v1/messages/batches/${id}`],
    ],
    list: '/v1/messages/batches',
  },
  'cached content': {
    make: () => make('/v1beta/cachedContents', { model: 'models/m', contents }),
    asks: (name) => [
      ['GET', `/v1beta/cachedContents/${operationId(name)}`],
      ['PATCH', `/v1beta/cachedContents/${operationId(name)}`, { ttl: '60s' }],
      ['DELETE', `/v1beta/cachedContents/${operationId(name)}`],
    ],
    uses: (cachedContent) => [
      ['POST', '/v1beta/models/m:generateContent', { contents, cachedContent }],
      ['POST', '/v1beta/models/m:streamGenerateContent', { contents, cachedContent }],
      ['POST', '/v1beta/models/m:countTokens', { contents, cachedContent }],
    ],
    list: '/v1beta/cachedContents',
  },
  response: {
    make: () => make('/v1/responses', { model, input: 'Hello' }),
    asks: (id) => [
      ['GET', `/v1/responses/${id}`],
      ['GET', `/v1/responses/${id}/input_items`],
      ['POST', `/v1/responses/${id}/cancel`],
      ['DELETE', `/v1/responses/${id}`],
    ],
    uses: (previous_response_id) => [
      ['POST', '/v1/responses', { model, input: 'Go on', previous_response_id }],
      ['POST', '/v1/responses/input_tokens', { model, input: 'Go on', previous_response_id }],
      ['POST', '/v1/responses/compact', { model, input: 'Go on', previous_response_id }],
    ],
  },
  conversation: {
    make: () => make('/v1/conversations', { items: [item] }),
    asks: (id) => [
      ['GET', `/v1/conversations/${id}`],
      ['POST', `/v1/conversations/${id}`, { metadata: { a: 'b' } }],
      ['GET', `/v1/conversations/${id}/items`],
      ['POST', `/v1/conversations/${id}/items`, { items: [item] }],
      ['GET', `/v1/conversations/${id}/items/msg_x`],
      ['DELETE', `/v1/conversations/${id}/items/msg_x`],
      ['DELETE', `/v1/conversations/${id}`],
    ],
    uses: (conversation) => [['POST', '/v1/responses', { model, input: 'Go on', conversation }]],
  },
  video: {
    make: () => make('/v1/videos', { model, prompt: 'A cat' }),
    asks: (id) => [
      ['GET', `/v1/videos/${id}`],
      ['GET', `/v1/videos/${id}/content`],
      ['POST', `/v1/videos/${id}/remix`, { prompt: 'A dog' }],
      ['DELETE', `/v1/videos/${id}`],
    ],
    list: '/v1/videos',
  },
  'video operation': {
    make: async () => operationId(await predict()),
    asks: (id) =>
      [
        'operations',
        'projects/p/locations/l/operations',
        'models/m/operations',
        'publishers/google/models/m/operations',
        'projects/p/locations/l/models/m/operations',
        'projects/p/locations/l/publishers/google/models/m/operations',
      ].flatMap((place): Ask[] => [
        ['GET', `/v1beta/${place}/${id}`],
        [
          'POST',
          `/v1beta/${place}/${id}:fetchPredictOperation`,
          { operationName: `models/m/operations/${id}` },
        ],
      ]),
    uses: (id) => [
      [
        'POST',
        '/v1beta/projects/p/locations/l:fetchPredictOperation',
        { operationName: `models/m/operations/${id}` },
      ],
    ],
  },
  'file of an operation': {
    async make() {
      const name = await predict()
      for (;;) {
        const { text } = await ask('one', ['GET', `/v1beta/${name}`])
        const [, file] = /files\/([0-9a-z]+)/.exec(text) ?? []
        if (file) return file
      }
    },
    asks: (id) => [
      ['GET', `/v1beta/files/${id}`],
      ['GET', `/v1beta/files/${id}:download`],
      ['GET', `/v1/files/${id}`],
      ['GET', `/v1/files/${id}:download`],
    ],
  },
}

function predict(): Promise<string> {
  return make('/v1beta/models/m:predictLongRunning', { instances: [{ prompt: 'A cat' }] })
}

function operationId(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

describe.each(Object.entries(kinds))('a %s', (_, { make, asks, uses, list }) => {
  test('is its key’s alone: in reads, changes, lists and requests', async () => {
    const id = await make()
    const own = await makeAs('two', '/v1/uploads', newUpload)
    const before = sandbox.requests.length
    for (const one of [...asks(id), ...(uses?.(id) ?? [])]) {
      const [method, path, body] = one
      const seen = await ask('two', [method, path.replace('OWN', own), body])
      expect([path, [400, 404].includes(seen.status), seen.text]).toEqual([
        path,
        true,
        expect.stringMatching(/not found/i),
      ])
    }
    expect(sandbox.requests).toHaveLength(before)
    if (list !== undefined) {
      expect((await ask('two', ['GET', list])).text).not.toContain(id)
      expect((await ask('one', ['GET', list])).text).toContain(id)
    }
    // The id is a good one.
    const [first = ['GET', '/v1/files'] as const] = asks(id)
    expect((await ask('one', first)).status).toBe(200)
  })
})

test('each operation of the gateway with an id in its path is in the table', async () => {
  const reply = await fetch(`${gateway.url}/openapi.json`)
  const { paths } = (await reply.json()) as { paths: Record<string, object> }
  const asked = Object.values(kinds).flatMap(({ asks }) => asks('x'))
  const missing = Object.entries(paths).flatMap(([path, operations]) => {
    if (!/\{(?!version|model|publisher|project|location)/.test(path)) return []
    // Addresses of uploads are signed.
    if (path.startsWith('/v1/files/stored/')) return []
    const shape = new RegExp(
      `^${path.replace(/[.:]/g, '\\$&').replace(/[\w-]*\{\w+\}/g, '[^/:]+')}$`,
    )
    return Object.keys(operations)
      .filter(
        (method) => !asked.some(([own, at]) => own.toLowerCase() === method && shape.test(at)),
      )
      .map((method) => `${method} ${path}`)
  })
  expect(missing).toEqual([])
})

function make(path: string, body: NonNullable<Ask[2]>, dialect = ''): Promise<string> {
  return makeAs('one', path, body, dialect)
}

async function makeAs(
  key: string,
  path: string,
  body: NonNullable<Ask[2]>,
  dialect = '',
): Promise<string> {
  const { status, text } = await ask(key, ['POST', path, body], dialect)
  expect([path, status, text]).toEqual([path, 200, text])
  const { id, name } = JSON.parse(text) as { id?: string; name?: string }
  return id ?? name ?? ''
}

async function ask(key: string, [method, path, body]: Ask, dialect = '') {
  const sent = typeof body === 'function' ? body() : body && JSON.stringify(body)
  const isAnthropic = dialect === 'anthropic' || path.endsWith('anthropic')
  const reply = await fetch(gateway.url + path.replace('?anthropic', ''), {
    method,
    headers: {
      authorization: `Bearer secret-${key}`,
      ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
      ...((isAnthropic || /\/messages|\/file_/.test(path)) && {
        'anthropic-version': '2023-06-01',
      }),
    },
    ...(sent !== undefined && { body: sent }),
  })
  return { status: reply.status, text: await reply.text() }
}
