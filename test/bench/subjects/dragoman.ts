/** The gateway itself, the way it is served: auth, checks, routing and the access log on. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../children.ts'
import { clientKey, type PrepareSubject } from './subject.ts'

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))
const configuration = fileURLToPath(new URL('../gateway.config.ts', import.meta.url))

export const prepareDragoman: PrepareSubject = async (upstreamPort) => {
  if (!existsSync(main)) return 'src/cli/main.ts is missing'
  const port = await freePort()
  return {
    port,
    command: [process.execPath, main, 'serve', '--config', configuration],
    env: {
      BENCH_PORT: String(port),
      BENCH_ADMIN_PORT: String(await freePort()),
      BENCH_UPSTREAM_PORT: String(upstreamPort),
      BENCH_KEY: clientKey,
    },
  }
}
