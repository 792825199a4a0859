import { useEffect } from 'react'

import { gatewayNow } from '../../api/clock.ts'
import { run } from '../../api/client.ts'
import { onSignOut } from '../../api/session.ts'
import { RevokePlaygroundKey } from './operations.generated.ts'

/**
 * Revokes a key of the Playground when it is no longer the page's: another page is opened, the tab is closed, its user signs out
 * or ends the key. `onEnd` takes it from the page.
 */
export function useEndOfKey(
  made: { readonly id: string; readonly expiresAt: string } | undefined,
  onEnd: (key: undefined) => void,
): void {
  const { id, expiresAt } = made ?? {}
  useEffect(() => {
    if (id === undefined || expiresAt === undefined) return
    const leftMs = Math.max(0, Date.parse(expiresAt) - gatewayNow())
    const timer = setTimeout(() => onEnd(undefined), leftMs)
    let isRevoked = false
    const end = async () => {
      if (isRevoked) return
      isRevoked = true
      await revoke(id)
    }
    // A page that the browser keeps for its history comes back without the key.
    const leave = () => (void end(), onEnd(undefined))
    const stop = onSignOut(end)
    addEventListener('pagehide', leave)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
      stop()
      void end()
    }
  }, [id, expiresAt, onEnd])
}

/** The request goes on when the page is left. The key expires by itself, should it not succeed. */
async function revoke(id: string): Promise<void> {
  const input = { id, reason: 'The Playground was left.' }
  await run(RevokePlaygroundKey, { input }, { keepalive: true }).catch(() => {})
}
