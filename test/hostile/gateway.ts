import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import type { Config } from '../../src/configuration/config.generated.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const watcher = join(import.meta.dirname, 'watch-loop.ts')

/** The measures of a gateway since the mark before. */
export interface Measures {
  /** The peak of the resident memory, in bytes. */
  readonly memory: number
  /** The longest stall of the event loop, in milliseconds. */
  readonly stall: number
  /** The longest wait for an answer of `/livez`, in milliseconds. */
  readonly livez: number
}

/** A gateway as users start it, in a process of its own. Linux only. */
export interface HostileGateway extends AsyncDisposable {
  readonly url: string
  readonly pid: number | undefined
  /** The measures since the mark before; begins anew. */
  mark(): Promise<Measures>
  /** Whether the process still runs. */
  readonly isAlive: boolean
}

/** Starts `dragoman serve` with a configuration, and with these flags of Node. */
export async function startCommand(
  config: Config,
  flags: readonly string[] = [],
): Promise<HostileGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
  const file = join(folder, 'dragoman.config.json')
  const own = { listen: { port: 0 }, admin: { port: 0 }, store: 'memory:' }
  await writeFile(file, JSON.stringify({ ...own, ...config }))
  const child = fork(main, ['serve', '--config', file], {
    cwd: folder,
    execArgv: [...flags, '--import', watcher],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const url = await addressIn(child.stderr!)
  const probe = new Worker(new URL('probe.ts', import.meta.url), { workerData: { url } })
  const ask = async (to: typeof child | Worker): Promise<number> => {
    const answered = once(to, 'message') as Promise<[number]>
    if (to instanceof Worker) to.postMessage('livez?')
    else to.send('stall?')
    return (await answered)[0]
  }
  return {
    url,
    pid: child.pid,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null
    },
    async mark() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      // Resets the peak (proc(5)).
      await writeFile(`/proc/${child.pid}/clear_refs`, '5')
      const memory = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024
      return { memory, stall: await ask(child), livez: await ask(probe) }
    },
    async [Symbol.asyncDispose]() {
      await probe.terminate()
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      await rm(folder, { recursive: true })
    },
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (found !== undefined) {
      output.resume()
      return found
    }
  }
  throw new Error(`The gateway has not started: ${text}`)
}
