/** The gateway itself, the way it is served: auth, checks, routing and the access log on. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '../children.ts'
import { clientKey, type PrepareSubject } from './subject.ts'

/** The gateway of a checkout, with that checkout's own configuration of the bench. */
export function dragomanOf(root: string | undefined): PrepareSubject {
  return async (upstreamPort) => {
    if (root === undefined) return 'no other checkout is named (--former DIR)'
    const main = resolve(root, 'src/cli/main.ts')
    if (!existsSync(main)) return `${main} is missing`
    const port = await freePort()
    return {
      port,
      command: [
        process.execPath,
        main,
        'serve',
        '--config',
        join(root, 'test/bench/gateway.config.ts'),
      ],
      env: {
        BENCH_PORT: String(port),
        BENCH_ADMIN_PORT: String(await freePort()),
        BENCH_UPSTREAM_PORT: String(upstreamPort),
        BENCH_KEY: clientKey,
      },
    }
  }
}
