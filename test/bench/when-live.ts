import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once the gateway on this port says that it is there. */
export async function whenLive(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const reply = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined)
    if (reply?.ok) return
    if (tries > 100) throw new Error('the gateway does not start')
    await sleep(100)
  }
}
