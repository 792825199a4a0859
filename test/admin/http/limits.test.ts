import { GraphQLObjectType, GraphQLSchema, GraphQLString, getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'
import { operation, send } from './send.ts'

const viewer = '{ viewer { role } }'
const json = { 'content-type': 'application/json' }

async function start(options: Parameters<typeof startAdminGateway>[0] = {}) {
  const gateway = await startAdminGateway(options)
  const headers = { authorization: `Bearer ${gateway.token('admin')}` }
  return {
    gateway,
    headers,
    ask: (query: string, variables?: object) =>
      send(gateway.adminUrl, operation(query, headers, variables)),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

test('a body that says that it is too large is refused before it is sent', async () => {
  await using at = await start()
  const answer = await send(at.gateway.adminUrl, {
    headers: { ...json, ...at.headers, 'content-length': '300000', expect: '100-continue' },
  }).catch((error: unknown) => error)
  expect(answer).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
})

test('a body in chunks is refused as soon as it is too large', async () => {
  await using at = await start()
  const piece = ' '.repeat(65_536)
  const answer = await send(at.gateway.adminUrl, {
    headers: { ...json, ...at.headers },
    body: Array.from({ length: 5 }, () => piece),
  })
  expect(answer).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
})

test('a body of the greatest size is answered', async () => {
  await using at = await start()
  const body = JSON.stringify({ query: viewer }).padEnd(262_144)
  const answer = await send(at.gateway.adminUrl, { headers: { ...json, ...at.headers }, body })
  expect(answer.status).toBe(200)
  const expecting = { ...json, ...at.headers, expect: '100-continue' }
  const waited = await send(at.gateway.adminUrl, { headers: expecting, body })
  expect(waited.status).toBe(200)
})

test('a body that does not arrive is given up', async () => {
  await using at = await start({ adminLimits: { bodyMs: 50 } })
  const answer = await new Promise<number>((resolve, reject) => {
    void import('node:http').then(({ request }) => {
      const sent = request(`${at.gateway.adminUrl}/graphql`, {
        method: 'POST',
        headers: { ...json, ...at.headers, 'content-length': '100' },
      })
      sent.on('response', (response) => {
        resolve(response.statusCode!)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('{')
    })
  })
  expect(answer).toBe(408)
})

test('a body in JSON is read whatever the spelling of its media type', async () => {
  await using at = await start()
  const body = JSON.stringify({ query: viewer })
  for (const type of [
    'Application/JSON',
    'APPLICATION/JSON; Charset=UTF-8',
    'application/json ; charset="utf-8"',
  ]) {
    const { status, text } = await send(at.gateway.adminUrl, {
      headers: { ...at.headers, 'content-type': type },
      body,
    })
    expect([type, status, text]).toEqual([type, 200, '{"data":{"viewer":{"role":"ADMIN"}}}'])
  }
})

test('an act whose answer the client does not take is not done, and the refusal says why', async () => {
  await using at = await start()
  const create = 'mutation { createKey(input: {id: "unseen"}) { __typename } }'
  for (const accept of ['text/html', 'image/*', 'application/json; charset=latin1'])
    expect(
      await send(at.gateway.adminUrl, operation(create, { ...at.headers, accept })),
    ).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' })
  expect((await at.ask('{ keys { edges { node { id } } } }')).text).not.toContain('unseen')
  for (const accept of ['text/html, */*;q=0.1', 'Application/*', ''])
    expect(
      await send(at.gateway.adminUrl, operation(viewer, { ...at.headers, accept })),
    ).toMatchObject({ status: 200 })
})

test('a subscription that no events may answer is refused with a reason', async () => {
  await using at = await start()
  const subscription = 'subscription { live(topics: [PULSE]) { __typename } }'
  for (const accept of ['application/json', 'multipart/mixed'])
    expect(
      await send(at.gateway.adminUrl, operation(subscription, { ...at.headers, accept })),
    ).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' })
})

test('deep, wide and long documents are refused', async () => {
  await using at = await start()
  const page = (inner: string) => `{ accounts { edges { node { ${inner} } } } }`
  const deep = '{ a '.repeat(11) + '}'.repeat(11)
  const wide = page('id '.repeat(450))
  const bomb = `{ ${Array.from({ length: 25 }, (_, index) => `a${index}: accounts(first: 100) { edges { node { id } } }`).join(' ')} }`
  const long = `{ ${'viewer { id } '.repeat(300)} }`
  for (const query of [deep, wide, bomb, long]) {
    const { status, text } = await at.ask(query)
    const { data, errors } = JSON.parse(text) as { data?: unknown; errors?: unknown[] }
    expect([status < 500, errors !== undefined, data ?? null]).toEqual([true, true, null])
  }
  for (const query of [deep, wide, bomb]) {
    const { status, code } = await at.ask(query)
    expect([status, code]).toEqual([200, 'DOCUMENT_TOO_LARGE'])
    const accept = 'application/graphql-response+json'
    const asked = operation(query, { ...at.headers, accept })
    expect((await send(at.gateway.adminUrl, asked)).status).toBe(400)
  }
  expect((await at.ask(long)).text).toContain('1000 tokens')
})

test('one operation does not hold many acts', async () => {
  await using at = await start()
  const acts = Array.from(
    { length: 60 },
    (_, index) => `a${index}: endSession(input: {id: "${index}"}) { __typename }`,
  )
  const { text } = await at.ask(`mutation { ${acts.join(' ')} }`)
  const { data, errors } = JSON.parse(text) as { data: object; errors: unknown[] }
  expect([new Set(Object.values(data)), errors.length > 0]).toEqual([new Set([null]), true])
  const records = await at.ask('{ audit { edges { node { id } } } }')
  expect(JSON.parse(records.text)).toEqual({ data: { audit: { edges: [] } } })
})

test('fragments that double each other are refused at once', async () => {
  await using at = await start()
  const fragments = Array.from(
    { length: 60 },
    (_, index) => `fragment f${index} on Viewer { ...f${index + 1} ...f${index + 1} }`,
  )
  const query = `{ viewer { ...f0 } } ${fragments.join(' ')} fragment f60 on Viewer { id }`
  expect((await at.ask(query)).code).toBe('DOCUMENT_TOO_LARGE')
})

test('fragments that contain themselves are refused', async () => {
  await using at = await start()
  const query = '{ viewer { ...a } } fragment a on Viewer { ...b } fragment b on Viewer { id ...a }'
  const { status, text } = await at.ask(query)
  expect([status, text]).toEqual([200, expect.stringContaining('within itself')])
})

test('fields of one name in large numbers do not hold the process', async () => {
  await using at = await start()
  const { status } = await at.ask(`{ ${'viewer{id}'.repeat(240)} }`)
  expect(status).toBe(200)
})

test('deep and long variables harm nothing', async () => {
  await using at = await start()
  const nested = `{"query":"query ($a: JSON) { viewer { id } }","variables":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  const answer = await send(at.gateway.adminUrl, {
    headers: { ...json, ...at.headers },
    body: nested,
  })
  expect(answer.status).toBeLessThan(500)
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`a${index}`, index]),
  )
  expect((await at.ask(viewer, many)).status).toBe(200)
  expect((await at.ask(viewer)).status).toBe(200)
})

test('several operations in a body, forms, plain text and compressed bodies are refused', async () => {
  await using at = await start()
  const post = async (headers: Record<string, string>, body: string) =>
    (await send(at.gateway.adminUrl, { headers: { ...at.headers, ...headers }, body })).status
  const body = JSON.stringify({ query: viewer })
  expect(await post(json, `[${body},${body}]`)).toBe(400)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/graphql',
    'application/json; charset=utf-16',
    'text/plain; application/json',
  ])
    expect([type, await post({ 'content-type': type }, body)]).toEqual([type, 415])
  expect(await post({}, body)).toBe(415)
  expect(await post({ ...json, 'content-encoding': 'gzip' }, body)).toBe(415)
  expect(await post({ 'content-type': 'application/json; charset="UTF-8"' }, body)).toBe(200)
})

test('GET reads and changes nothing; other methods are not known', async () => {
  await using at = await start()
  const get = (query: string, method = 'GET') =>
    send(at.gateway.adminUrl, {
      method,
      path: `/graphql?query=${encodeURIComponent(query)}`,
      headers: at.headers,
    })
  expect((await get(viewer)).status).toBe(200)
  const mutation = 'mutation { disableAccount(input: {id: "a", reason: "b"}) { __typename } }'
  const refused = await get(mutation)
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST'])
  expect(refused.text).toContain('METHOD_NOT_ALLOWED')
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'])
    expect([method, (await get(viewer, method)).status]).toEqual([method, 405])
})

test('only admins read the schema', async () => {
  await using gateway = await startAdminGateway()
  const schema = '{ __schema { queryType { name } } }'
  const type = '{ __type(name: "Query") { name } }'
  for (const query of [
    schema,
    type,
    `{ ...a } fragment a on Query { __schema { queryType { name } } }`,
  ]) {
    for (const role of ['viewer', 'operator'] as const) {
      const { data, errors } = await gateway.graph(query, {}, role)
      expect([data, errors.length > 0]).toEqual([undefined, true])
    }
  }
  expect((await gateway.graph(schema)).errors).toEqual([])
  expect((await gateway.graph(getIntrospectionQuery())).errors).toEqual([])
  const { errors } = await gateway.graph('{ viewr { id } }', {}, 'viewer')
  expect(errors[0]?.message).not.toContain('viewer')
})

test('a token that asks too often waits, and others do not', async () => {
  let at = 1_000_000
  await using gateway = await startAdminGateway({
    uptime: () => at,
    adminLimits: { tokenBurst: 3 },
  })
  const ask = (role: 'admin' | 'viewer') =>
    send(gateway.adminUrl, operation(viewer, { authorization: `Bearer ${gateway.token(role)}` }))
  for (let count = 0; count < 3; count++) expect((await ask('admin')).status).toBe(200)
  const refused = await ask('admin')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
  expect((await ask('viewer')).status).toBe(200)
  at += 50
  expect((await ask('admin')).status).toBe(200)
  expect((await ask('admin')).status).toBe(429)
})

/** A schema whose fields fail and wait. */
function hostileSchema(): GraphQLSchema {
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      defect: {
        type: GraphQLString,
        resolve: () => {
          throw new Error('cause-canary')
        },
      },
      never: { type: GraphQLString, resolve: () => new Promise(() => {}) },
    },
  })
  const never = { type: GraphQLString, resolve: () => new Promise(() => {}) }
  const mutation = new GraphQLObjectType({ name: 'Mutation', fields: { never } })
  return new GraphQLSchema({ query, mutation })
}

test('the cause of a defect goes to the log, under the id of the request', async () => {
  await using at = await start({ schema: hostileSchema() })
  const { text, headers, code } = await at.ask('{ defect }')
  expect(code).toBe('INTERNAL_SERVER_ERROR')
  expect(text).not.toContain('cause-canary')
  const id = headers['x-request-id']
  expect(JSON.parse(text)).toMatchObject({
    data: { defect: null },
    errors: [{ message: 'Unexpected error.', extensions: { requestId: id } }],
  })
  expect(at.gateway.log).toContainEqual(
    expect.objectContaining({ requestId: id, error: 'Error: cause-canary' }),
  )
})

test('an operation that takes too long is answered', async () => {
  await using at = await start({ schema: hostileSchema(), adminLimits: { queryMs: 20 } })
  const answer = await at.ask('{ never }')
  expect(answer.code).toBe('TOO_SLOW')
  expect(answer.text).not.toContain('may have been done')
  const act = await at.ask('mutation { never }')
  expect([act.status, act.code]).toEqual([504, 'TOO_SLOW'])
  expect(act.text).toContain('Its acts may have been done or not: the audit log says it.')
})
