import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Tunes V8 (measured with `npm run bench`). It inlines more than by default: a request runs through many small
 * functions of Node, undici and the gateway, and takes 5 to 8 % less processor time. And it allocates no objects in
 * the old generation ahead of time: after a major collection under load it does so for objects of calls, and each
 * then keeps its whole call in memory until the next one (seen with `--trace-gc`), which costs 15 % of the processor.
 * It does so for every command, before the other modules load: compiled code is stored for processes with the same
 * flags.
 */
export function tuneEngine(): void {
  setFlagsFromString('--max-inlined-bytecode-size=1000')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=5000')
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** When the garbage of a start is collected, in milliseconds after it. */
const quietMs = 2_000

/**
 * Gives the memory of the garbage of a start back to the system, about 20 MB of an idle process (50 in a checkout): V8
 * does so only under pressure. It takes about 150 ms of the processor, once, in which the process answers nothing. It is
 * left out once the process `hasServed` a request that needs a key: the collection discards compiled code too, and a
 * call then costs 5 to 40 % more processor time for minutes.
 */
export function releaseStartMemory(hasServed: () => boolean): NodeJS.Timeout {
  const release = () => {
    if (hasServed()) return
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as typeof gc
    setFlagsFromString('--no-expose-gc')
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  return setTimeout(release, quietMs).unref()
}
