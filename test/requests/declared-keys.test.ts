import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { generateDialect } from '../../plugins/dialects/generate/index.ts'
import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { responsesDialect } from '../../plugins/dialects/responses/index.ts'
import { rulesOf } from '../../src/body/members.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { dialects } from './dialects.ts'
import { startService } from './service.ts'

interface Schema {
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly type?: string | readonly string[]
}

interface Document {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema?: Schema }> } }>
  >
}

/** The bodies in which a declared key occurs once, as a text around the key and its value. */
function placesIn(schema: Schema, wrap = (inner: string) => inner): [string, typeof wrap][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const inObject = (text: string) => wrap(`{${JSON.stringify(name)}:${text}}`)
    const inList = (text: string) => inObject(`[7,${text}]`)
    const alternatives = [inner, ...(inner.anyOf ?? [])]
    const deeper = alternatives.flatMap((one) => [
      ...placesIn({ properties: one.properties ?? {} }, inObject),
      ...(one.items ? placesIn(one.items, inList) : []),
    ])
    return [[name, wrap] as [string, typeof wrap], ...deeper]
  })
}

test('every key that an operation names is refused twice, escaped and in capitals', async () => {
  await using gateway = await createTestGateway()
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document
  const cases: { path: string; body: string; code: string }[] = []
  const seen = new Set<string>()
  for (const [path, { post }] of Object.entries(document.paths)) {
    const schema = post?.requestBody?.content['application/json']?.schema
    // The same operation at another path of a dialect has the same schema.
    const known = JSON.stringify(schema)
    if (!schema || seen.has(known)) continue
    seen.add(known)
    for (const [name, wrap] of placesIn(schema)) {
      const code = name.charCodeAt(0).toString(16).padStart(4, '0')
      const twice = `{"${name}":null,"x":{},"${name}":1}`
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const both = snake === name ? twice : `{"${name}":null,"${snake}":1}`
      for (const inner of [twice, both]) cases.push({ path, body: wrap(inner), code: 'duplicate' })
      for (const inner of [
        `{"\\u${code}${name.slice(1)}":1}`,
        `{"${name.toUpperCase()}":1}`,
        `{"${name.charAt(0).toUpperCase()}${name.slice(1)}":1}`,
      ]) {
        cases.push({ path, body: wrap(inner), code: 'exactly this way' })
      }
    }
  }
  expect(cases.length).toBeGreaterThan(500)
  const check = async ({ path, body, code }: (typeof cases)[number]) => {
    const filled = path
      .replace('{version}', 'v1beta')
      .replace('{project}', 'p')
      .replaceAll(/\{\w+\}/g, 'm')
    const response = await fetch(gateway.url + filled, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        'x-goog-api-key': gateway.key,
        // A client of Anthropic has other operations at paths that dialects share.
        ...(path.startsWith('/v1/messages') && { 'anthropic-version': '2023-06-01' }),
        'content-type': 'application/json',
      },
      body,
    })
    const text = await response.text()
    const seen = { path, body, status: response.status, text }
    expect(seen).toMatchObject({ path, body, status: 400 })
    expect(text, `${path} ${body}`).toMatch(code === 'duplicate' ? /more than once/ : code)
  }
  const asked = dailyRows(cases)
  while (asked.length > 0) await Promise.all(asked.splice(0, 25).map(check))
})

/** The names of the top-level members that `run` reads. */
function readIn(body: object, run: (json: never) => unknown): Set<string> {
  const names = new Set<string>()
  const watched = new Proxy(body, {
    get(target, name) {
      if (typeof name === 'string') names.add(name)
      return Reflect.get(target, name) as unknown
    },
  })
  try {
    run(watched as never)
  } catch {
    // What it read until then counts.
  }
  return names
}

const codecs = [
  ['responses', responsesDialect],
  ['chat', chatDialect],
  ['messages', messagesDialect()],
  ['generate', generateDialect],
] as const

/** Names of functions of objects and lists, which are no fields. */
const notFields = new Set(['toJSON', 'then', 'constructor', 'hasOwnProperty', 'length'])

describe.each(codecs)('the schema of %s', (name, dialect) => {
  const declared = (operation: object) =>
    new Set(rulesOf(operation).byLength.flatMap((list) => list?.map((one) => one.name) ?? []))

  test('names every field that the gateway checks', () => {
    for (const operation of dialect.operations) {
      if (!('understand' in operation) || operation.method !== 'POST') continue
      const { request } = dialects[name]
      const exchange = {
        params: { model: 'm', id: 'x' },
        request: { headers: { 'anthropic-version': '2023-06-01' }, query: '', path: '' },
        snapshot: { resolve: () => undefined },
      }
      const read = readIn({ ...request, items: [] }, (json) =>
        operation.understand(exchange as never, {
          json,
          bytes: Buffer.from('{}'),
          members: new Map(),
        }),
      )
      const missing = read.difference(declared(operation)).difference(notFields)
      expect({ operation: operation.id, missing: [...missing] }).toEqual({
        operation: operation.id,
        missing: [],
      })
    }
  })

  test('names every field that translation reads', () => {
    const [create] = dialect.operations
    const read = readIn(dialects[name].request, (body) =>
      dialect.generate?.codec.decodeRequest({
        body,
        stream: false,
        query: '',
        headers: {},
      }),
    )
    const missing = read.difference(declared(create ?? {})).difference(notFields)
    expect([...missing]).toEqual([])
  })
})

test('keys that no operation names may be anything', async () => {
  await using gateway = await createTestGateway()
  const post = async (body: string) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body,
    })
    return { status: response.status, text: await response.text() }
  }
  const asked = '"model":"none","messages":[{"role":"user","content":"hi"}]'
  expect(
    (await post(`{${asked},"Gr\\u00f6\\u00dfe":1,"größer":2,"foo":1,"foo":2,"x":{"n":1,"n":2}}`))
      .status,
  ).toBe(404)
  // U+017F and U+212A are the letters s and k to servers that ignore case.
  for (const name of ['\u017ftream', 'to\u212aens'.replace('to', 'max_to')]) {
    expect(await post(`{${asked},"${name}":1}`)).toMatchObject({ status: 400 })
  }
})

/** Parsers differ in which of two members counts; the gateway's own reads the last one. */
const disguised = {
  'an item': '{"type":"item_reference","id":"msg_1","type":"message","role":"user","content":"x"}',
  'an id': '{"type":"item_reference","id":"msg_1","id":"msg_2"}',
  'an escaped id': '{"type":"item_reference","\\u0069d":"msg_1"}',
  'a capital id': '{"type":"item_reference","ID":"msg_1"}',
  'a container in tools': '{"type":"x","tools":[{"container":"c","container":{"type":"auto"}}]}',
}

test.each(Object.entries(disguised))('%s of another key cannot be hidden', async (_, item) => {
  await using service = await startService()
  for (const path of ['/v1/responses', '/v1/responses/input_tokens', '/v1/responses/compact']) {
    const response = await service.post('responses', `{"model":"m","input":[${item}]}`, { path })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/more than once|exactly this way/)
  }
  const body = `{"items":[${item}]}`
  const response = await service.post('responses', body, { path: '/v1/conversations' })
  expect(response.status).toBe(400)
  expect(service.upstream.requests).toEqual([])
})

/** Large bodies are read in turns, and large values inside of them on their own. */
test.each([100_000, 400_000])('%i bytes beside an item do not hide it', async (size) => {
  await using service = await startService()
  const long = `{"role":"user","content":[{"type":"input_text","text":"${'x'.repeat(size)}"}]}`
  const twice = '{"type":"item_reference","id":"msg_1","id":"msg_2"}'
  const inside = `{"role":"user","content":[${'{"type":"input_text","text":"x"},'.repeat(size / 32)}{"type":"input_text","type":"x"}]}`
  for (const input of [`[${long},${twice}]`, `[${twice},${long}]`, `[${inside}]`]) {
    const response = await service.post('responses', `{"model":"m","input":${input}}`)
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('more than once'),
    ])
  }
  expect((await service.post('responses', `{"model":"m","input":[${long}]}`)).status).toBe(200)
  expect(service.upstream.requests).toHaveLength(1)
})

const forms = {
  '/v1/images/edits': ['prompt', 'n', 'size', 'quality', 'response_format', 'model'],
  '/v1/videos': ['prompt', 'seconds', 'size', 'model'],
}

test.each(Object.entries(forms))('no part of a form of %s is sent twice', async (path, names) => {
  await using gateway = await createTestGateway()
  for (const name of names) {
    for (const other of [name, name.toUpperCase(), `${name}[]`, ` ${name}`, `%${hex(name)}`]) {
      const parts = [name, other].map(
        (one) => `--x\r\nContent-Disposition: form-data; name="${one}"\r\n\r\n1\r\n`,
      )
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'multipart/form-data; boundary=x',
        },
        body: `${parts.join('')}--x--\r\n`,
      })
      expect({ other, status: response.status }).toEqual({ other, status: 400 })
      expect(await response.text()).toMatch(/more than once|exactly this name/)
    }
  }
})

/** The first letter as a percent-encoded byte, and the rest. */
function hex(name: string): string {
  return name.charCodeAt(0).toString(16) + name.slice(1)
}
