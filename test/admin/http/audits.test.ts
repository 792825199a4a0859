import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'

test('the endpoint is GraphQL over HTTP, in all that the specification demands and recommends', async () => {
  await using gateway = await startAdminGateway()
  const audits = serverAudits({
    url: `${gateway.adminUrl}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${gateway.token('admin')}`)
      return fetch(url, { ...init, headers })
    },
  })
  const results = []
  for (const audit of audits) results.push(await audit.fn())
  expect(results.length).toBeGreaterThan(50)
  const missed = results.filter(({ status }) => status !== 'ok')
  expect(missed.map(({ name, status }) => `${status}: ${name}`)).toEqual([])
})
