import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'

export interface OwnProcess extends AsyncDisposable {
  readonly url: string
  readonly key: string
  readonly process: ChildProcess
  /** What its spool takes. */
  spooled(): Promise<number>
  /** Its memory now, in bytes; the peak is counted from here. */
  markMemory(): Promise<number>
  /** The most memory since then, in bytes. */
  peakMemory(): Promise<number>
}

/** A gateway with the dialect of forms in a process of its own. Linux only. */
export async function startOwnProcess(options: TestGatewayOptions): Promise<OwnProcess> {
  const child = fork(join(import.meta.dirname, 'gateway-process.ts'), [JSON.stringify(options)], {
    execArgv: [],
  })
  const answer = async () => ((await once(child, 'message')) as [Record<string, unknown>])[0]
  const { url, key } = await answer()
  const memory = async (field: string) => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024
  }
  return {
    url: url as string,
    key: key as string,
    process: child,
    async spooled() {
      child.send('spooled?')
      return (await answer())['spooled'] as number
    },
    async markMemory() {
      // Resets the peak (proc(5)).
      await writeFile(`/proc/${child.pid}/clear_refs`, '5')
      return memory('VmRSS')
    },
    peakMemory: () => memory('VmHWM'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
