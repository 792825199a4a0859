import { expect, test } from 'vitest'

import { startEndless } from '../../endless.ts'
import { startAdminGateway } from '../admin-gateway.ts'

const mebibyte = 1024 * 1024

test('a provider that answers without an end fills no memory: the sign-in fails, and its connection ends', async () => {
  await using provider = await startEndless()
  await using gateway = await startAdminGateway({
    admin: {
      oidc: {
        issuer: provider.url,
        clientId: 'dragoman',
        clientSecret: 'client-secret-canary-0123456789',
        roles: { readers: 'viewer' },
      },
    },
  })
  const begun = await fetch(`${gateway.adminUrl}/session/oidc`, { redirect: 'manual' })
  expect(begun.status).toBe(503)
  // What the buffers of both connections hold comes to it.
  expect(await provider.left()).toBeLessThan(32 * mebibyte)
})
