import { randomBytes } from 'node:crypto'

import type { Records, Store } from './store.ts'

/** The path of the stream that shows whether a proxy holds streams back. */
export const proxyTestPath = '/proxy-test'

/** The request header with the secret of a test. */
export const proxyTestHeader = 'x-dragoman-proxy-test'

/** A test that a gateway may serve once. */
type ProxyTest = Record<string, never>

/** How long a test can begin, in milliseconds. */
const lifetimeMs = 30_000

function testRecords(store: Pick<Store, 'records'>): Records<ProxyTest> {
  return store.records<ProxyTest>('proxy-tests')
}

/**
 * Permits one test: only a process that can write to the store of the gateway can. Resolves with its secret, which ends
 * with its first use or after half a minute. Rejects with `StoreUnavailable`.
 */
export async function permitProxyTest(store: Pick<Store, 'records'>): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await testRecords(store).set(secret, {}, { ttlMs: lifetimeMs })
  return secret
}

/** Uses up the permits of tests. */
export interface ProxyTestPermits {
  /** Whether a secret permits a test; it never does again. Rejects with `StoreUnavailable`. */
  take(secret: string): Promise<boolean>
}

/** Opens the permits in a store. */
export function openProxyTestPermits(store: Pick<Store, 'records'>): ProxyTestPermits {
  const records = testRecords(store)
  return {
    // A read is cheaper than a write, and what strangers send is found at no time.
    take: async (secret) =>
      (await records.get(secret)) !== undefined && (await records.delete(secret)),
  }
}
