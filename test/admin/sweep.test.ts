import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { rootFields } from '../docs/roles/operations.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { startAdminGateway } from './admin-gateway.ts'

const schema = createAdminSchema()

test('every mutation leaves exactly one audit record, of its own request', async () => {
  await using gateway = await startAdminGateway()
  const mutations = rootFields(schema).filter(({ kind }) => kind === 'mutation')
  expect(mutations.length).toBeGreaterThan(20)
  const results = new Set<string>()
  // Twice: what the first creates is in the way of the second.
  for (const { name, operation } of [...mutations, ...mutations]) {
    const response = await fetch(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${gateway.token('admin')}`,
      },
      body: JSON.stringify({ query: operation }),
    })
    const answer = (await response.json()) as { errors?: unknown; data: object }
    expect({ name, errors: answer.errors }).toEqual({ name, errors: undefined })
    const id = response.headers.get('x-request-id')
    const records = await gateway.services.audit.list({ limit: 1_000 })
    const own = records.filter(({ requestId }) => requestId === id)
    expect([name, own.map(({ result }) => result)]).toEqual([
      name,
      [JSON.stringify(answer.data).includes('Success"') ? 'DONE' : 'FAILED'],
    ])
    results.add(own[0]!.result)
  }
  expect(results).toEqual(new Set(['DONE', 'FAILED']))
}, 120_000)

/** Edges to what has a query of its own. */
const edges = new Set(['account', 'key', 'platformModel'])

/** All fields of a type, down to some depth. */
function selectionOf(type: GraphQLOutputType, depth = 5): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (isUnionType(named)) {
    const members = named.getTypes().map((one) => `... on ${one.name} ${selectionOf(one, depth)}`)
    return `{ __typename ${members.join(' ')} }`
  }
  if (!isObjectType(named) || depth === 0) return '{ __typename }'
  const fields = Object.values(named.getFields()).map((field) => {
    const first = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : ''
    const isEdge = edges.has(field.name) && depth < 5
    return `${field.name}${first}${selectionOf(field.type, isEdge ? 0 : depth - 1)}`
  })
  return `{ ${fields.join(' ')} }`
}

test('no secret is in an answer, a log line or a record in the clear', async () => {
  await using directory = await temporaryDirectory()
  const secretFile = join(directory.path, 'secret-of-an-account')
  await writeFile(secretFile, 'canary-of-a-file-123456789')
  await using gateway = await startAdminGateway({
    store: `file:${join(directory.path, 'store')}`,
    env: {
      DRAGOMAN_SECRET_KEY: Buffer.alloc(32, 'canary-of-the-ring').toString('base64'),
      ACCOUNT_KEY: 'canary-of-the-environment-1234',
    },
    keys: [{ id: 'test', secret: 'canary-of-a-key-in-the-file' }],
    accounts: [
      { id: 'literal', provider: 'openai', apiKey: 'canary-of-an-account-1234', models: ['a'] },
      { id: 'named', provider: 'openai', apiKey: 'env:ACCOUNT_KEY', models: ['b'] },
      { id: 'filed', provider: 'openai', apiKey: `file:${secretFile}`, models: ['c'] },
    ],
    admin: {
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'dragoman',
        clientSecret: 'canary-of-the-provider',
        groupsClaim: 'groups',
        roles: { all: 'viewer' },
      },
    },
  })
  const { data } = await gateway.graph<Record<string, Record<string, string>>>(`mutation {
    createAccount(input: {id: "stored", provider: "openai", credential: "canary-of-the-store-1234",
      models: ["d"]}) { __typename }
    createKey(input: {id: "made"}) { ... on CreateKeySuccess { secret } }
    createAdminToken(input: {id: "made", role: VIEWER}) { ... on CreateAdminTokenSuccess { secret } } }`)
  expect(data['createAccount']).toEqual({ __typename: 'CreateAccountSuccess' })
  const begun = await fetch(`${gateway.adminUrl}/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token('admin')}` },
  })
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!.split('=')[1]!
  const secrets = [
    'canary',
    Buffer.from('canary').toString('base64').slice(0, 8),
    data['createKey']!['secret']!,
    data['createAdminToken']!['secret']!,
    cookie.split('.')[1]!,
    ...(['viewer', 'operator', 'admin'] as const).map((role) => gateway.token(role)),
  ]
  const wrong = (where: string, text: string) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => [where, secret])
  const queries = rootFields(schema).filter(({ kind }) => kind === 'query')
  const shown: string[] = []
  for (const { name, operation } of queries) {
    const field = schema.getQueryType()!.getFields()[name]!
    const id = ['key', 'explain'].includes(name) ? 'made' : 'stored'
    const query = operation
      .replace('{ __typename }', selectionOf(field.type))
      // A page of the usual size with every field of an account, or of the subjects of limits, would cost more than an operation may.
      .replace(/\b(accounts|limits) \{/, '$1(first: 10) {')
      .replace('dialect: "nothing"', 'dialect: "chat"')
      .replaceAll('"nothing"', JSON.stringify(id))
    for (const role of ['admin', 'viewer'] as const) {
      const answer = await gateway.graph(query, {}, role)
      shown.push(name)
      expect([name, answer.errors.map(({ message }) => message)]).toEqual([name, []])
      expect(wrong(name, JSON.stringify(answer))).toEqual([])
    }
  }
  expect(shown.length).toBe(queries.length * 2)
  expect(wrong('log', JSON.stringify([gateway.log, gateway.accessLog]))).toEqual([])
  const files = await readdir(join(directory.path, 'store'), {
    recursive: true,
    withFileTypes: true,
  })
  const written = files.filter((one) => one.isFile())
  expect(written.length).toBeGreaterThan(0)
  for (const { parentPath, name } of written) {
    expect(wrong(name, await readFile(join(parentPath, name), 'latin1'))).toEqual([])
  }
}, 60_000)
