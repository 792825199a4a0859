import { request } from 'node:http'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { visible } from '../../../src/lib/visible.ts'
import { openPlace } from '../dragoman.ts'
import { openDesk, sandboxAccount } from './desk.ts'
import { json, startFakeGateway } from './fake-gateway.ts'

/** Clears the screen, sets a title, turns the direction of the text, and begins a line. */
const hostile = 'x\u001b[2J\u001b]0;t\u0007\u009b31m\u202egnp\u2028\u0085\r\nsecond  line'

const steering = /[^\P{C}\n]|[\u2028\u2029]/u

test('a text for a terminal has no character that steers it, and stays the same in JSON', () => {
  const text = visible(hostile)
  expect(text).not.toMatch(steering)
  const written = visible(JSON.stringify({ hostile, tag: '\u{e0001}', half: '\ud800' }))
  expect(written).not.toMatch(steering)
  expect(JSON.parse(written)).toEqual({ hostile, tag: '\u{e0001}', half: '\ud800' })
  expect(visible('Grüße, 你好, 👍\n')).toBe('Grüße, 你好, 👍\n')
})

test('no name that a client or an account chose steers the terminal of an operator', async () => {
  await using place = await openPlace()
  const binding = {
    id: hostile,
    kind: 'response',
    keyId: hostile,
    accountId: 'a',
    upstreamId: null,
    model: hostile,
    isStored: false,
    chainUntil: null,
    createdAt: '2026-01-31T00:00:00.000Z',
    expiresAt: hostile,
  }
  const answer = {
    use: 'CHAIN',
    dialect: hostile,
    status: 404,
    code: 'x',
    message: hostile,
    accountId: null,
  }
  const page = { edges: [{ node: binding }], pageInfo: { hasNextPage: false, endCursor: null } }
  const explain = {
    operation: null,
    processId: hostile,
    resolvedModel: hostile,
    rule: hostile,
    pinned: true,
    moves: false,
    candidates: [],
    candidatesOmitted: 0,
    fallbacks: [{ model: hostile, next: hostile, on: 'REFUSED', error: hostile, excluded: [] }],
    excluded: [
      { accountId: 'a', by: hostile, reason: hostile, field: null, status: null, until: null },
    ],
    excludedOmitted: 0,
    chosen: null,
    losses: [{ field: hostile, reason: hostile }],
    answer: { status: 400, code: 'x', message: hostile, param: null },
  }
  const lookup = { state: 'FOUND', reason: null, binding, answers: [answer] }
  await using fake = await startFakeGateway((response, { body: { query = '' } }) =>
    query.startsWith('mutation')
      ? json(response, { data: { revokeKey: { __typename: 'Invalid', message: hostile } } })
      : query.includes('keys(')
        ? json(response, { errors: [{ message: hostile }] }, 400)
        : json(response, { data: { bindings: page, binding: lookup, explain } }),
  )
  const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: 'dga_t' }
  for (const [words, lines] of [
    ['bindings list', 2],
    ['bindings list --json', 1],
    ['bindings show x --key k', 3],
    ['bindings show x --key k --json', 1],
    ['explain --key k --model m', 8],
    ['explain --key k --model m --json', 1],
    ['keys list', 1],
    ['keys revoke a --reason x', 1],
  ] as const) {
    const { code, stdout, stderr } = await place.call(words, env)
    expect(stdout + stderr, words).not.toMatch(steering)
    expect((stdout + stderr).trim().split('\n'), words).toHaveLength(lines)
    if (code === 0 && words.endsWith('--json')) expect(stdout).toContain(String.raw`\u009b31m`)
  }
})

test('the agent of a refused request steers no terminal that prints the audit log', async () => {
  await using desk = await openDesk([sandboxAccount('a')])
  const { hostname, port } = new URL(desk.gateway.adminUrl)
  const headers = { 'user-agent': 'x\u009b31m', authorization: 'Bearer wrong' }
  const sent = request({ hostname, port, path: '/graphql', method: 'POST', headers }).end()
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  response.resume()
  await once(response, 'end')
  for (const ask of [desk.remote, desk.local]) {
    const { stdout } = await ask('audit export')
    expect(stdout).not.toMatch(steering)
    const [entry] = stdout.trim().split('\n')
    expect(JSON.parse(entry!)).toMatchObject({ agent: 'x\u009b31m', result: 'REFUSED' })
  }
})
