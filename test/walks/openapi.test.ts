import { expect, test } from 'vitest'

import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

interface Described {
  readonly operationId: string
  readonly parameters?: { name: string; in: string; required: boolean; schema: object }[]
  readonly requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
  readonly responses: Record<string, { description: string }>
  readonly security: Record<string, string[]>[]
}

interface Document {
  readonly openapi: string
  readonly info: { title: string; version: string }
  readonly servers: { url: string }[]
  readonly paths: Record<string, Record<string, Described>>
  readonly components: { securitySchemes: object; schemas: object }
}

async function describeGateway(gateway: TestGateway): Promise<Document> {
  const response = await fetch(`${gateway.url}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return (await response.json()) as Document
}

function operationsOf({ paths }: Document): { path: string; method: string; is: Described }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, is]) => ({ path, method, is })),
  )
}

/** A segment that a parameter can be, as far as its schema says. */
function nameFor({ parameters = [] }: Described, name: string): string {
  const schema = parameters.find((parameter) => parameter.name === name)?.schema
  const { pattern } = { pattern: undefined, ...schema }
  return pattern === undefined ? `any-${name}` : '0mwqj05l9fgc9nof28ckl1y1iyz0x0'
}

test('a stranger reads it: version 1.0.0, one server', async () => {
  await using gateway = await createTestGateway()
  const document = await describeGateway(gateway)
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ title: 'Dragoman', version: '1.0.0' })
  expect(document.servers).toHaveLength(1)
})

test('it has every operation, with its required fields', async () => {
  await using gateway = await createTestGateway()
  const { paths } = await describeGateway(gateway)
  const required = (path: string) =>
    paths[path]?.post?.requestBody?.content['application/json']?.schema.required
  expect(required('/v1/responses')).toEqual(['model', 'input'])
  expect(required('/v1/chat/completions')).toEqual(['model', 'messages'])
  expect(required('/v1/messages')).toEqual(['model', 'max_tokens', 'messages'])
  expect(required('/{version}/models/{model}:generateContent')).toEqual(['contents'])
  expect(required('/{version}/models/{model}:streamGenerateContent')).toEqual(['contents'])
  expect(paths['/{version}/models/{model}:countTokens']).toHaveProperty('post')
  expect(paths['/v1/messages/count_tokens']).toHaveProperty('post')
  for (const path of ['/v1/models', '/v1/models/{model}', '/openapi.json', '/livez', '/readyz']) {
    expect(paths[path]).toHaveProperty('get')
  }
})

test('what it lists is what the gateway serves', async () => {
  await using gateway = await createTestGateway()
  const document = await describeGateway(gateway)
  const headers = { authorization: `Bearer ${gateway.key}`, 'anthropic-version': '2023-06-01' }
  for (const { path, method, is } of operationsOf(document)) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === 'version' ? 'v1beta' : nameFor(is, name as string),
    )
    const response = await fetch(gateway.url + filled, { method: method.toUpperCase(), headers })
    if ('101' in is.responses) {
      // A request for no WebSocket: 405 where another method has the path for HTTP, 426 where none has.
      expect([405, 426]).toContain(response.status)
      continue
    }
    expect({ id: is.operationId, path, method, status: response.status }).not.toMatchObject({
      status: 405,
    })
    expect(await response.text()).not.toContain('Unknown endpoint')
  }
})

test('it is valid OpenAPI: unique ids, every parameter declared, every reference there', async () => {
  await using gateway = await createTestGateway()
  const document = await describeGateway(gateway)
  const operations = operationsOf(document)
  const ids = operations.map(({ is }) => is.operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  for (const { path, is } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect({ path, declared: is.parameters?.map(({ name }) => name) ?? [] }).toEqual({
      path,
      declared: named,
    })
    for (const parameter of is.parameters ?? []) {
      expect(parameter).toMatchObject({ in: 'path', required: true, schema: { type: 'string' } })
    }
    expect(path).toMatch(/^\/[^?#+]*$/)
    for (const { description } of Object.values(is.responses)) expect(description).toMatch(/./)
    for (const [scheme] of is.security.map(Object.keys)) {
      expect(document.components.securitySchemes).toHaveProperty(scheme ?? '')
    }
  }
  for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    expect(document).toHaveProperty(reference.split('/'))
  }
})

test('what needs a key says so, and what does not does not', async () => {
  await using gateway = await createTestGateway()
  const { paths } = await describeGateway(gateway)
  expect(paths['/v1/messages']?.post?.security).toEqual([
    { bearer: [] },
    { xApiKey: [] },
    { xGoogApiKey: [] },
  ])
  expect(paths['/livez']?.get?.security).toEqual([])
})
