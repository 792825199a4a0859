/** What every bench does around its measurements. */

import { cleanUpOnExit, stopAll } from './children.ts'
import { whyUnfit } from './cores.ts'

/** Measures where the machine can; what goes wrong is printed, and no process of the bench stays. */
export async function runBench(main: () => Promise<void>): Promise<void> {
  await endWell(async () => {
    beginBench()
    await main()
  })
}

/** Throws where this machine cannot run the bench; otherwise sees to a clean end. */
export function beginBench(): void {
  const unfit = whyUnfit()
  if (unfit !== undefined) throw new Error(unfit)
  cleanUpOnExit()
}

/** Prints an error without its stack, with exit code 1, and stops what was started. */
export async function endWell(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  } finally {
    await stopAll()
  }
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
