/**
 * `npm run test:sockets -- [MINUTES] [responses|realtime]`: 500 sockets that wait and 50 that work, of each API or of one, for
 * 10 minutes unless it says otherwise.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { apis } from './apis.ts'
import { soak } from './soak.ts'

/** The most memory that a soak may leave behind, in MiB: compiled code, and what the engine keeps. */
const mostGrowth = 8

const [time = '10', only] = process.argv.slice(2)
const minutes = Number(time)
if (!(minutes > 0)) throw new Error('The first argument is a number of minutes.')
const wanted = (['responses', 'realtime'] as const).filter(
  (api) => only === undefined || api === only,
)
if (wanted.length === 0)
  throw new Error(`The second argument is one of ${Object.keys(apis).join(', ')}.`)
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
for (const api of wanted) {
  const { failures, ...soaked } = await soak({
    api,
    seconds: minutes * 60,
    idle: 500,
    busy: 50,
    collect,
  })
  console.log(JSON.stringify({ api, ...soaked, failures: failures.length }, undefined, 2))
  for (const failure of failures.slice(0, 5)) console.error(failure)
  const { left, codes, growth } = soaked
  const isClean = Object.values(left).every((count) => count === 0) && codes['1001'] === 500
  if (!isClean || failures.length > 0 || (growth ?? 0) > mostGrowth) {
    console.error(`The sockets of ${api} have failed, or have left something behind.`)
    process.exitCode = 1
  }
}
