import { expect, test } from 'vitest'

import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { startAdminGateway } from '../admin-gateway.ts'

test('the schema is loaded for those with a token alone, and again after a failure', async () => {
  await using gateway = await startAdminGateway()
  const plugins = gateway.running.plugins as GatewayPlugin[]
  let loads = 0
  plugins.push({
    name: 'failing',
    admin() {
      loads++
      throw new Error('The schema cannot be loaded.')
    },
  })
  const stranger = await fetch(`${gateway.adminUrl}/graphql`, { method: 'POST' })
  expect(stranger.status).toBe(401)
  expect(loads).toBe(0)
  await expect(gateway.graph('{ __typename }')).rejects.toThrow()
  expect(loads).toBe(1)
  plugins.pop()
  const first = await Promise.all([
    gateway.graph('{ __typename }'),
    gateway.graph('{ __typename }'),
  ])
  expect(first.map(({ data }) => data)).toEqual([{ __typename: 'Query' }, { __typename: 'Query' }])
})
