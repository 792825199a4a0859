/** Every process the bench starts: pinned, remembered, and ended whichever way the bench ends. */

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pinned, type Cores } from './cores.ts'

const running = new Set<ChildProcess>()
let directory: string | undefined

export interface ChildOptions {
  core: Cores
  env?: Record<string, string>
  ipc?: boolean
}

/** Output goes to the null device, complaints to ours. */
export function startChild(command: string[], { core, env, ipc }: ChildOptions): ChildProcess {
  const [file, args] = pinned(core, command)
  const child = spawn(file, args, {
    env: { ...process.env, DRAGOMAN_DRAIN_DELAY_MS: '0', ...env },
    stdio: ['ignore', openSync(devNull, 'w'), 'inherit', ...(ipc ? ['ipc' as const] : [])],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** A script of the bench, in a Node process of its own. */
export function startScript(script: URL, args: string[], options: ChildOptions): ChildProcess {
  return startChild([process.execPath, fileURLToPath(script), ...args], options)
}

/** The next message of a child, or an error when it ends or stays silent instead. */
export async function nextMessage<Message>(child: ChildProcess, millis: number): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const onExit = () => reject(new Error('a process of the bench ended early'))
  const timer = setTimeout(() => reject(new Error('a process of the bench is silent')), millis)
  child.once('message', resolve as (message: unknown) => void)
  child.once('exit', onExit)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', resolve as (message: unknown) => void)
    child.off('exit', onExit)
  }
}

/** Asks politely and gives a draining gateway a while before insisting. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([exit, sleep(10_000, undefined, { ref: false })])
  if (running.has(child)) child.kill('SIGKILL')
  await exit
}

/** A directory for generated files that goes with the bench. */
export function temporaryDirectory(): string {
  directory ??= mkdtempSync(join(tmpdir(), 'dragoman-bench-'))
  return directory
}

/** A port nobody listens on at the moment of asking. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stopChild))
}

/** Covers what `stopAll` can't reach: an interrupt, an uncaught error. */
export function cleanUpOnExit(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130))
  }
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  })
}
