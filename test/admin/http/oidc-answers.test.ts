import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'

const mebibyte = 1024 * 1024

/** A server that answers every request without an end, and counts what it could send. */
async function startEndless() {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  let sent = 0
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.once('close', resolve)
    const write = () => {
      while (!response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
    }
    write()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves with the bytes that it has sent, once its client has left. */
    left: () => left.then(() => sent),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

test('a provider that answers without an end fills no memory: the sign-in fails, and its connection ends', async () => {
  await using provider = await startEndless()
  await using gateway = await startAdminGateway({
    admin: {
      oidc: {
        issuer: provider.issuer,
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
