import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import {
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '../../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { startAdminGateway } from '../admin-gateway.ts'

/** Begins an operation. `end` sends its body. */
async function begin(adminUrl: string, secret: string) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    expect: '100-continue',
  }
  const sent = request(`${adminUrl}/graphql`, { method: 'POST', headers, agent: false })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
  })
  answered.catch(() => {})
  const awaited = new Promise<void>((resolve) => void sent.once('continue', resolve))
  sent.flushHeaders()
  await awaited
  return async (query: string) => {
    sent.end(JSON.stringify({ query }))
    const response = await answered
    return { status: response.statusCode, body: await json(response) }
  }
}

const successor =
  'mutation { createAdminToken(input: { id: "successor", role: ADMIN }) { __typename } }'

test('a token that is revoked while its request arrives does nothing', async () => {
  const store = openMemoryStore()
  let ahead = 0
  await using gateway = await startAdminGateway({ store, uptime: () => performance.now() + ahead })
  const issue = (id: string, role: Role) => createAdminToken(store, { id, role, createdBy: 'test' })
  const stolen = await issue('stolen', 'admin')
  const sound = await issue('sound', 'viewer')
  const { tokens } = gateway.services
  await tokens.catchUp()

  const act = await begin(gateway.adminUrl, stolen!.secret)
  const question = await begin(gateway.adminUrl, sound!.secret)
  await revokeAdminToken(store, 'stolen')
  await tokens.catchUp()
  ahead = 2_000
  expect(await act(successor)).toMatchObject({
    status: 401,
    body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
  })
  expect(await question('{ viewer { id } }')).toMatchObject({
    status: 200,
    body: { data: { viewer: { id: 'sound' } } },
  })
  const ids = (await listAdminTokens(store)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(['sound', 'stolen'])
})
