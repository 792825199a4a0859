/** The yardstick: what Node and undici cost with no gateway on top. */

import { fileURLToPath } from 'node:url'
import { freePort } from '../children.ts'
import type { PrepareSubject } from './subject.ts'

export const prepareBare: PrepareSubject = async (upstreamPort) => {
  const port = await freePort()
  const script = fileURLToPath(new URL('bare-proxy.ts', import.meta.url))
  return { port, command: [process.execPath, script, String(port), String(upstreamPort)] }
}
