import { hash } from 'node:crypto'

import type { AccountConnection, AccountSetting } from '../contract/account.ts'
import { defined } from '../lib/json/object.ts'

/** How connections to an account are made. `undefined`: as those to most accounts. */
export function connectionOf({
  timeouts,
  proxy,
  ca,
  clientCertificate,
  forbidden = [],
}: AccountSetting): AccountConnection | undefined {
  const parts: Omit<AccountConnection, 'id'> = defined({
    connectMs: timeouts?.connectMs,
    proxy,
    ca,
    certificate: clientCertificate,
    forbidden: forbidden.length > 0 ? forbidden : undefined,
  })
  if (Object.keys(parts).length === 0) return undefined
  return { id: hash('sha256', JSON.stringify(parts)), ...parts }
}
