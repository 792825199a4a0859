/** `npm run test:sockets [MINUTES]`: 500 sockets that wait and 50 that work, for 10 minutes unless it says otherwise. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { soak } from './soak.ts'

/** The most memory that a soak may leave behind, in MiB: compiled code, and what the engine keeps. */
const mostGrowth = 8

const minutes = Number(process.argv[2] ?? 10)
if (!(minutes > 0)) throw new Error('The argument is a number of minutes.')
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const result = await soak({ seconds: minutes * 60, idle: 500, busy: 50, collect })
console.log(JSON.stringify(result, undefined, 2))
const { left, codes, growth } = result
const isClean = Object.values(left).every((count) => count === 0) && codes['1001'] === 500
if (!isClean || growth > mostGrowth) {
  console.error('The sockets have left something behind.')
  process.exitCode = 1
}
