/** Processor time as the kernel counts it: of a process with all its threads, and of a core. */

import { readdirSync, readFileSync } from 'node:fs'

/** What /proc counts in: 100 ticks a second on every Linux, whatever the kernel's own clock. */
const microsPerTick = 10_000

/** User and system time of a process, its ended threads included. */
export function processMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the command in parentheses and may hold blanks; count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * microsPerTick
}

/** The same to the nanosecond, of the threads that there are now, for windows that are short. */
export function threadMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanos = threads.map((thread) => {
    const [spent = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
    return Number(spent)
  })
  return nanos.reduce((sum, spent) => sum + spent, 0) / 1_000
}

/** Time a core spent on anything at all, other people's processes included. */
export function coreMicros(core: number): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'latin1'))
  if (line === null) throw new Error(`there is no core ${core}`)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line[1]!
    .split(' ')
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * microsPerTick
}
