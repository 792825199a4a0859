import { parseArgs } from 'node:util'

import { type Scenario, soak } from './soak.ts'

/**
 * Ends and starts two gateways behind nginx by turns, while clients call in three manners: 36 times with a few
 * clients, twenty of them with workers, then twice with 200 streams at once. No call may fail. `npm run test:drain -- --new-connections` lets
 * nginx open a connection for each call: then the system may reset one that is made while the gateway closes its
 * socket.
 */
const { values } = parseArgs({
  options: { 'new-connections': { type: 'boolean', default: false } },
})
const clients = { 'closed loop': 16, paused: 8, streams: 8 }
const upstream = values['new-connections'] ? 'new connections' : 'kept connections'
const scenarios: readonly Scenario[] = [
  { upstream, drainDelayMs: undefined, workers: 1, restarts: 4, clients },
  { upstream, drainDelayMs: 0, workers: 1, restarts: 6, clients },
  { upstream, drainDelayMs: 2_000, workers: 1, restarts: 6, clients },
  { upstream, drainDelayMs: 0, workers: 2, restarts: 20, clients },
  { upstream, drainDelayMs: 2_000, workers: 1, restarts: 2, clients: { ...clients, streams: 200 } },
]

let failures = 0
for (const scenario of scenarios) {
  const { drainDelayMs, workers, restarts } = scenario
  const delay = drainDelayMs === undefined ? 'by default' : `${drainDelayMs} ms`
  const { tally, faults, log } = await soak(scenario)
  const counts = Object.entries(tally).map(
    ([manner, { calls, failures: failed }]) => `${manner} ${failed.length} of ${calls}`,
  )
  console.log(
    `${restarts} restarts, delay ${delay}, workers ${workers}, ${upstream}; failed: ${counts.join(', ')}`,
  )
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault.replaceAll(/\s+/g, ' ')}`)
  if (faults.length > 0) console.log(withoutRefusals(log).slice(-5_000))
  failures += faults.length
}
console.log(`${failures} failures`)
process.exitCode = failures > 0 ? 1 : 0

/** Each restart fills the log with connections that were refused, for which nginx has asked the other gateway. */
function withoutRefusals(log: string): string {
  return log
    .split('\n')
    .filter((line) => !line.includes('Connection refused'))
    .join('\n')
}
